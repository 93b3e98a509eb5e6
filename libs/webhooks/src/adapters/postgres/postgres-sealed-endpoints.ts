import type { Sql } from '@counterfoil/database';
import type { ResealedRow, SecretBox } from '@counterfoil/secrets';
import { type SealedEndpoint, SealedEndpoints } from '../../application/ports/sealed-endpoints';
import type { FormerSecret } from '../../domain/endpoint';
import { NEXT_SEALED, RESEAL } from './sealed-endpoint.sql';

export class PostgresSealedEndpoints extends SealedEndpoints {
  override readonly name = 'webhook endpoints';

  constructor(
    private readonly sql: Sql,
    private readonly box: SecretBox,
  ) {
    super();
  }

  override after(last: SealedEndpoint | null, limit: number): Promise<SealedEndpoint[]> {
    return this.sql.rows(NEXT_SEALED, { lastId: last?.id ?? '', limit });
  }

  override reseal(row: SealedEndpoint): SealedEndpoint | null {
    const former = JSON.parse(row.formerSecrets) as FormerSecret[];
    const secret = this.box.reseal(row.secretSealed);
    const resealed = former.map(({ sealed }) => this.box.reseal(sealed));
    if (secret === null && resealed.every((each) => each === null)) return null;
    const formerSecrets = former.map(({ sealed, until }, at) => ({ sealed: resealed[at] ?? sealed, until }));
    return {
      id: row.id,
      secretSealed: secret ?? row.secretSealed,
      formerSecrets: JSON.stringify(formerSecrets),
    };
  }

  override replace(changes: readonly ResealedRow<SealedEndpoint>[]): Promise<number> {
    return this.sql.changed(RESEAL, { changes });
  }

  override describe({ id }: SealedEndpoint): string {
    return `webhook endpoint ${id}`;
  }
}
