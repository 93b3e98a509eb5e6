/** All points at which a crash test may kill the process, grouped by operation. */
export const FAULT_POINTS = {
  /**
   * Before the transaction, between its statements, and after the commit. Rows and events that are deferred may be
   * written only by the commit.
   */
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
  /** Before the commit of a document of a retainer, with the mails of the document. */
  retainers: ['retainer.mails-queued'],
  /** After the key is claimed, the work done, the response passed on to the commit, and the transaction committed. */
  idempotency: ['idempotency.claimed', 'idempotency.worked', 'idempotency.stored', 'idempotency.committed'],
  /** Before and after the commit of a converted batch. */
  revaluation: ['revaluation.converted', 'revaluation.committed'],
  /** Before and after a rendition of a document is stored. */
  rendition: ['rendition.made', 'rendition.stored'],
  /** Before and while a mail is handed over, after the answer of the server, and after it is recorded. */
  mail: ['mail.claimed', 'mail.composed', 'mail.handing-over', 'mail.answered', 'mail.recorded'],
  /** Before and after the commit of a batch of reminders with their mails. */
  reminders: ['reminders.queued', 'reminders.committed'],
  files: ['file.removed', 'file.removal-committed', 'file.bytes-removed'],
} as const;

export type FaultPoint = (typeof FAULT_POINTS)[keyof typeof FAULT_POINTS][number];

/**
 * Named points at which a crash test kills the process, like a power cut. Reaching a point does nothing
 * unless the test configured it, and production refuses such a configuration.
 */
export abstract class FaultPoints {
  abstract reach(point: FaultPoint): void;
}

/** Kills the process with SIGKILL at the point that `FAULT_POINT` names. */
export class ConfiguredFaultPoints extends FaultPoints {
  constructor(private readonly fatal: FaultPoint | null) {
    super();
  }

  reach(point: FaultPoint): void {
    if (point === this.fatal) process.kill(process.pid, 'SIGKILL');
  }
}
