import { AppError, type Caller, roleMay, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { SessionRepository, type SessionScope } from './ports/session.repository';

@Injectable()
export class EndSession {
  constructor(
    private readonly transactions: Transactions,
    private readonly sessions: SessionRepository,
  ) {}

  /**
   * Ends a session: the next request with it is refused.
   *
   * @throws AppError `NOT_FOUND` for a session that the caller does not see
   */
  async execute(caller: Caller, sessionId: number): Promise<void> {
    const removed = await this.transactions.run((tx) =>
      this.sessions.remove(tx, sessionScopeOf(caller), sessionId),
    );
    if (!removed) throw new AppError('NOT_FOUND', 'no such session');
  }
}

/** An owner sees the sessions of all keys, everybody else those of the own key. */
export function sessionScopeOf({ companyId, apiKeyId, role }: Caller): SessionScope {
  return { companyId, apiKeyId: roleMay(role, 'administer') ? null : apiKeyId };
}
