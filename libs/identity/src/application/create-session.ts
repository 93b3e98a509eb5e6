import { Config } from '@counterfoil/config';
import { AppError, type Caller, Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  hashToken,
  randomToken,
  sessionExpiry,
  SESSIONS_OF_KEY_MAX,
  USER_AGENT_LENGTH_MAX,
} from '../domain/session';
import { SessionRepository } from './ports/session.repository';

/** The browser, and the place where it signed in. */
export interface SessionOrigin {
  readonly userAgent: string | null;
  readonly address: string;
}

export interface CreatedSession {
  readonly id: number;
  /** Opens what the key opens. Only its hash is kept. */
  readonly token: string;
  readonly expiresAt: Date;
}

@Injectable()
export class CreateSession {
  constructor(
    private readonly config: Config,
    private readonly transactions: Transactions,
    private readonly sessions: SessionRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Exchanges the key of the caller for a session (contract §4.9).
   *
   * @throws AppError `FORBIDDEN` if the caller has used a session: only a key opens sessions, so that none lasts longer by
   *   opening the next. `UNAUTHENTICATED` if the key was revoked meanwhile
   */
  execute(caller: Caller, { userAgent, address }: SessionOrigin): Promise<CreatedSession> {
    const { companyId, apiKeyId, sessionId } = caller;
    if (sessionId !== undefined)
      throw new AppError('FORBIDDEN', 'sign in with an API key, not with a session');
    return this.transactions.run(async (tx) => {
      const createdAt = this.clock.now();
      const keyExpiresAt = await this.sessions.lockKey(tx, companyId, apiKeyId);
      if (keyExpiresAt === undefined) throw new AppError('UNAUTHENTICATED', 'the API key was revoked');
      await this.sessions.trim(tx, { companyId, apiKeyId, now: createdAt, keep: SESSIONS_OF_KEY_MAX - 1 });
      const token = randomToken();
      const expiresAt = sessionExpiry(createdAt, this.config.console.sessionLifetimeMs, keyExpiresAt);
      const agent = userAgent?.slice(0, USER_AGENT_LENGTH_MAX) ?? null;
      const tokenHash = hashToken(token);
      const row = { companyId, apiKeyId, tokenHash, userAgent: agent, address, createdAt, expiresAt };
      return { id: await this.sessions.insert(tx, row), token, expiresAt };
    });
  }
}
