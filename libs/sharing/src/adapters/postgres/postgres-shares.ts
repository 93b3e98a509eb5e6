import { inBatches, Sql, within } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  type LinkedShare,
  type NewShare,
  type ShareOfDocument,
  type ShareRow,
  Shares,
  type ShareViews,
} from '../../application/ports/shares';
import {
  ADD_VIEWS,
  FIND_LINKED,
  INSERT_SHARE,
  LOCK_DOCUMENT,
  NEXT_SHARES,
  REVOKE,
  SHARES_AT_ONCE,
} from './share.sql';

@Injectable()
export class PostgresShares extends Shares {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async insert(tx: Transaction, companyId: number, share: NewShare): Promise<number | null> {
    await within(tx).rows(LOCK_DOCUMENT, { documentId: share.documentId });
    return (await within(tx).first(INSERT_SHARE, { companyId, ...share }))?.id ?? null;
  }

  override findLinked(companyId: number, publicId: string): Promise<LinkedShare | null> {
    return this.sql.first(FIND_LINKED, { companyId, publicId });
  }

  override list(companyId: number, documentId: number): AsyncGenerator<readonly ShareRow[]> {
    return inBatches(SHARES_AT_ONCE, (last: ShareRow | undefined) =>
      this.sql.rows(NEXT_SHARES, { companyId, documentId, after: last?.id ?? 0 }),
    );
  }

  override async revoke(tx: Transaction, share: ShareOfDocument): Promise<boolean> {
    return (await within(tx).first(REVOKE, share)) !== null;
  }

  override addViews(
    tx: Transaction,
    { id, companyId }: Pick<LinkedShare, 'id' | 'companyId'>,
    views: number,
  ): Promise<ShareViews> {
    return within(tx).only(ADD_VIEWS, { companyId, id, views });
  }
}
