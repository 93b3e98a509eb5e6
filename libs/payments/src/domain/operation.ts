export const OPERATION_KINDS = ['SALE', 'AUTHORIZATION', 'CAPTURE', 'VOID', 'REFUND'] as const;
/** `SALE` and `AUTHORIZATION` create a charge. `SALE` also captures the amount. */
export type OperationKind = (typeof OPERATION_KINDS)[number];

/** `PENDING` until the outcome is known. */
type OperationState = 'PENDING' | 'SUCCEEDED' | 'FAILED';

/** One request to a provider. */
export interface Operation {
  /** For a `REFUND` this is the id of the refund. */
  readonly id: number;
  readonly chargeId: number;
  readonly kind: OperationKind;
  readonly amount: number;
  /** The reason given with a refund. */
  readonly reason: string | null;
  readonly state: OperationState;
  /** The reason why it was declined; null if it was not. */
  readonly failureCode: string | null;
  readonly createdAt: Date;
}
