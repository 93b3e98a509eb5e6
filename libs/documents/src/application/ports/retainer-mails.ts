import type { Transaction } from '@counterfoil/kernel';
import type { RetainerSending } from '../../domain/retainer';

/** A document that a retainer has issued in the open transaction. */
export interface SentByRetainer {
  readonly documentId: number;
  readonly sending: RetainerSending;
  /** As in events: `system:<job>`. */
  readonly sentBy: string;
}

/** How the documents of a new retainer are to be sent. */
export interface AskedSending {
  readonly sending: RetainerSending;
  /** The number of documents that are due already. */
  readonly documents: number;
}

/** Mails the documents of retainers. The lib `mail`, which asks this one, implements it. */
export abstract class RetainerMails {
  /**
   * Checks how the documents of a new retainer are to be sent, by the rules of a call that sends a document
   * (contract §8.18).
   *
   * @returns what the retainer keeps: each address once, with the ASCII form of its domain
   * @throws AppError `VALIDATION_FAILED` for too many recipients, `INVALID_STATE` if no mail server is configured,
   *   `LIMIT_REACHED` if the documents that are due already would have too many mails
   */
  abstract check(companyId: number, asked: AskedSending): Promise<RetainerSending>;

  /**
   * Queues a mail for each recipient, in the transaction that issues the document, so that there is never one without the
   * other. Refuses nothing: the mails wait while there is no mail server, and may exceed the limit of a company.
   */
  abstract queue(tx: Transaction, companyId: number, sent: SentByRetainer): Promise<void>;
}
