/** Every point at which a crash test may end the process, by what is under way there. */
export const FAULT_POINTS = {
  /** Before the transaction, between its statements, and after it. */
  issuance: [
    'issuance.drafted',
    'issuance.begun',
    'issuance.opened',
    'settling.loaded',
    'issuance.planned',
    'issuance.written',
    'settling.saved',
    'issuance.settled',
    'issuance.told',
    'issuance.committed',
  ],
  /** With the key claimed, the work done, the response stored, and once it is committed. */
  idempotency: ['idempotency.claimed', 'idempotency.worked', 'idempotency.stored', 'idempotency.committed'],
  /** With a batch converted and not committed, and once it is. */
  revaluation: ['revaluation.converted', 'revaluation.committed'],
  files: ['file.removed', 'file.removal-committed', 'file.bytes-removed'],
} as const;

export type FaultPoint = (typeof FAULT_POINTS)[keyof typeof FAULT_POINTS][number];

/**
 * Named points at which a crash test may end the process, as a power cut would. Reaching one does nothing unless it was
 * configured; in production none can be.
 */
export abstract class FaultPoints {
  abstract reach(point: FaultPoint): void;
}
