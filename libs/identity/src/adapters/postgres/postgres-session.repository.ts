import { insertWithId, managerOf, Sql, within } from '@counterfoil/database';
import { type Caller, outsideRequests, RequestCoalescer, type Transaction } from '@counterfoil/kernel';
import { ListSql, readPage } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import {
  type NewSession,
  SessionRepository,
  type SessionScope,
  type SignedIn,
  type StoredSession,
} from '../../application/ports/session.repository';
import type { Session } from '../../domain/session';
import { SessionSchema } from './identity.schema';
import { SESSIONS } from './session.list';
import { FIND_SIGNED_IN, FIND_SESSIONS, LOCK_KEY, SESSIONS_IN_USE, TRIM_SESSIONS } from './session.sql';

const LOOKUP_PATIENCE_MS = 250;
const BY_ID = { by: 'id', descending: false } as const;

@Injectable()
export class PostgresSessionRepository extends SessionRepository {
  /** As the look-ups of keys: concurrent ones share a statement, and each begins after its request came. */
  private readonly lookups = new RequestCoalescer(
    (hashes: readonly Buffer[]) => this.findAll(hashes),
    LOOKUP_PATIENCE_MS,
  );

  constructor(private readonly sql: Sql) {
    super();
  }

  override find(tokenHash: Buffer): Promise<StoredSession | null> {
    return outsideRequests(() => this.lookups.submit(tokenHash));
  }

  private async findAll(hashes: readonly Buffer[]): Promise<(StoredSession | null)[]> {
    const sessions = await this.sql.rows(FIND_SESSIONS, { hashes });
    const found = new Map(sessions.map((session) => [session.tokenHash.toString('latin1'), session]));
    return hashes.map((hash) => found.get(hash.toString('latin1')) ?? null);
  }

  override async lockKey(
    tx: Transaction,
    companyId: number,
    apiKeyId: number,
  ): Promise<Date | null | undefined> {
    const key = await within(tx).first(LOCK_KEY, { companyId, apiKeyId });
    return key === null ? undefined : key.expiresAt;
  }

  override insert(tx: Transaction, session: NewSession): Promise<number> {
    return insertWithId(tx, SessionSchema, session);
  }

  override async trim(
    tx: Transaction,
    key: { readonly companyId: number; readonly apiKeyId: number; readonly now: Date; readonly keep: number },
  ): Promise<void> {
    await within(tx).rows(TRIM_SESSIONS, key);
  }

  override async remove(
    tx: Transaction,
    { companyId, apiKeyId }: SessionScope,
    sessionId: number,
  ): Promise<boolean> {
    const scope = { companyId, ...(apiKeyId !== null && { apiKeyId }) };
    const { affected } = await managerOf(tx).delete(SessionSchema, { id: sessionId, ...scope });
    return affected === 1;
  }

  override list({ companyId, apiKeyId }: SessionScope, page: PageRequest): Promise<Page<Session>> {
    const filter = apiKeyId === null ? {} : { apiKeyId };
    return readPage(this.sql, new ListSql(SESSIONS, companyId, { filter, sort: BY_ID }), page);
  }

  override signedIn({ companyId, apiKeyId, sessionId }: Caller): Promise<SignedIn | null> {
    const asked = { companyId, apiKeyId, sessionId: sessionId ?? null };
    return this.sql.first(FIND_SIGNED_IN, asked);
  }

  override async inUse(sessionIds: readonly number[]): Promise<ReadonlySet<number>> {
    const sessions = await this.sql.rows(SESSIONS_IN_USE, { sessionIds });
    return new Set(sessions.map(({ id }) => id));
  }
}
