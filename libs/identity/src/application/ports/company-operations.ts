import type { PlainDate, Transaction } from '@counterfoil/kernel';
import type { CompanyState, OperationKind, OperatorNote } from '../../domain/company-state';

/** A company as operators see it. */
export interface CompanyOverview extends CompanyState {
  readonly taxId: string | null;
  readonly createdAt: Date;
  /** The number of API keys that are not revoked. `KEYS_COUNTED_MAX` stands for that many or more. */
  readonly keys: number;
  /** The last use of any of them, to the minute. */
  readonly lastUsedAt: Date | null;
}

export const KEYS_COUNTED_MAX = 1_000;

export type StateChange = Partial<Pick<CompanyState, 'suspendedAt' | 'erasureBeganAt' | 'erasedAt'>> & {
  readonly recordsKeptUntil?: PlainDate;
};

/** Stores the states of companies, and what operators did. */
export abstract class CompanyOperations {
  /** The state, or null for an unknown id. Locks it until the transaction ends, and waits for others that hold it. */
  abstract lock(tx: Transaction, companyId: number): Promise<CompanyState | null>;

  /** Changes what is given of a locked company, and leaves the rest. */
  abstract change(tx: Transaction, companyId: number, change: StateChange): Promise<void>;

  /** Records that an operation has begun, and returns its id. */
  abstract begin(
    tx: Transaction,
    operation: OperatorNote & {
      readonly companyId: number;
      readonly kind: OperationKind;
      readonly at: Date;
    },
  ): Promise<number>;

  /** Records the result of an operation that has begun. */
  abstract end(
    tx: Transaction,
    ended: { readonly id: number; readonly at: Date; readonly result: object },
  ): Promise<void>;

  /** Companies by id, from the first behind `after`. For operators: it reads across companies. */
  abstract list(page: {
    readonly after: number;
    readonly limit: number;
  }): Promise<readonly CompanyOverview[]>;
}
