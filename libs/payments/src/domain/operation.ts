export const OPERATION_KINDS = ['SALE', 'AUTHORIZATION', 'CAPTURE', 'VOID', 'REFUND'] as const;
/** `SALE` and `AUTHORIZATION` begin a charge; only the first takes the money. */
export type OperationKind = (typeof OPERATION_KINDS)[number];

/** `PENDING` until the outcome is known. */
type OperationState = 'PENDING' | 'SUCCEEDED' | 'FAILED';

/** One thing that is asked of a provider. */
export interface Operation {
  /** Of a `REFUND`: the refund's id. */
  readonly id: number;
  readonly chargeId: number;
  readonly kind: OperationKind;
  readonly amount: number;
  /** The reason given with a refund. */
  readonly reason: string | null;
  readonly state: OperationState;
  /** Why it was declined; null where it was not. */
  readonly failureCode: string | null;
  readonly createdAt: Date;
}
