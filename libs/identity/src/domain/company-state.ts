import { AppError, type PlainDate } from '@counterfoil/kernel';

declare module '@counterfoil/kernel' {
  interface ErrorCodes {
    COMPANY_SUSPENDED: true;
  }
}

/** `erasing`: an erasure has begun and can only be continued. */
export type CompanyStatus = 'active' | 'suspended' | 'erasing' | 'erased';

/** The decisions of operators about a company. */
export interface CompanyState {
  readonly id: number;
  readonly name: string;
  readonly suspendedAt: Date | null;
  readonly erasureBeganAt: Date | null;
  readonly erasedAt: Date | null;
  /** The day until which the law requires what an erasure has kept; null before one. */
  readonly recordsKeptUntil: PlainDate | null;
}

/** An action of an operator. */
export type OperationKind = 'suspend' | 'resume' | 'export' | 'erase';

/** The operator and the reason of an action. Never shown to the company. */
export interface OperatorNote {
  /** The user of the operating system. */
  readonly operator: string;
  readonly reason: string | null;
}

/** At most this many characters of a reason. */
export const REASON_LENGTH_MAX = 1_000;

export function statusOf({
  suspendedAt,
  erasureBeganAt,
  erasedAt,
}: Pick<CompanyState, 'suspendedAt' | 'erasureBeganAt' | 'erasedAt'>): CompanyStatus {
  if (erasedAt !== null) return 'erased';
  if (erasureBeganAt !== null) return 'erasing';
  return suspendedAt === null ? 'active' : 'suspended';
}

/** @throws AppError `INVALID_STATE` */
export function assertMaySuspend(state: CompanyState): void {
  assertNotErased(state);
  if (state.suspendedAt === null) return;
  throw refused(`company ${state.id} has been suspended since ${state.suspendedAt.toISOString()}`);
}

/** @throws AppError `INVALID_STATE` */
export function assertMayResume(state: CompanyState): void {
  assertNotErased(state);
  if (state.erasureBeganAt !== null)
    throw refused(`the erasure of company ${state.id} has begun; repeat company:erase to complete it`);
  if (state.suspendedAt === null) throw refused(`company ${state.id} is not suspended`);
}

/**
 * A request that was accepted before the suspension may write until it ends, an upload after 30 minutes. Then an erasure
 * misses nothing.
 */
export const ERASABLE_AFTER_MS = 31 * 60_000;

/**
 * @param confirmed the name of the company as the operator wrote it
 * @throws AppError `INVALID_STATE`, or `VALIDATION_FAILED` for another name
 */
export function assertMayErase(state: CompanyState, confirmed: string, now: Date): void {
  const { id, suspendedAt } = state;
  assertNotErased(state);
  if (suspendedAt === null)
    throw refused(`company ${id} is not suspended; suspend it first (company:suspend)`);
  const erasableAt = new Date(suspendedAt.getTime() + ERASABLE_AFTER_MS);
  if (now < erasableAt) {
    throw refused(
      `requests from before the suspension of company ${id} may still be ending; erase it after ${erasableAt.toISOString()}`,
    );
  }
  if (confirmed === state.name) return;
  throw new AppError(
    'VALIDATION_FAILED',
    `--confirm must be the name of company ${state.id}, exactly as company:list --json shows it`,
  );
}

function assertNotErased({ id, erasedAt }: CompanyState): void {
  if (erasedAt !== null) throw refused(`company ${id} was erased at ${erasedAt.toISOString()}`);
}

function refused(message: string): AppError {
  return new AppError('INVALID_STATE', message);
}

export function noSuchCompany(companyId: number): AppError {
  return new AppError('NOT_FOUND', `there is no company ${companyId}`);
}
