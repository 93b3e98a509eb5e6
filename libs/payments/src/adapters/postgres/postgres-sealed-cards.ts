import type { Sql } from '@counterfoil/database';
import type { ResealedRow, SecretBox } from '@counterfoil/secrets';
import { type SealedCard, SealedCards } from '../../application/ports/sealed-cards';
import { NEXT_SEALED, RESEAL } from './sealed-card.sql';

export class PostgresSealedCards extends SealedCards {
  override readonly name = 'cards';

  constructor(
    private readonly sql: Sql,
    private readonly box: SecretBox,
  ) {
    super();
  }

  override after(last: SealedCard | null, limit: number): Promise<SealedCard[]> {
    return this.sql.rows(NEXT_SEALED, { lastId: last?.id ?? 0, limit });
  }

  override reseal({ id, sealedToken }: SealedCard): SealedCard | null {
    const resealed = this.box.reseal(sealedToken);
    return resealed === null ? null : { id, sealedToken: resealed };
  }

  override replace(changes: readonly ResealedRow<SealedCard>[]): Promise<number> {
    return this.sql.changed(RESEAL, { changes });
  }

  override describe({ id }: SealedCard): string {
    return `card ${id}`;
  }
}
