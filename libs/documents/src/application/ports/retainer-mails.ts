import type { Transaction } from '@counterfoil/kernel';
import type { RetainerSending } from '../../domain/retainer';
import type { IssuedReference } from './document.reader';

/** A document that a retainer has issued. */
export interface RetainerDocument extends IssuedReference {
  readonly companyId: number;
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
   * Checks how the documents of a new retainer are to be sent, by the rules of a call that sends a document, but for
   * the limit of 24 hours, for which mails of retainers wait (contract §8.14, §8.18).
   *
   * @returns what the retainer keeps: each address once, with the ASCII form of its domain
   * @throws AppError `VALIDATION_FAILED` for too many recipients, `INVALID_STATE` if no mail server is configured,
   *   `LIMIT_REACHED` if the documents that are due already would have too many mails
   */
  abstract check(companyId: number, asked: AskedSending): Promise<RetainerSending>;

  /**
   * Queues a mail for each recipient, in the transaction that issues the document, so that there is never one without
   * the other. The mails wait while there is no mail server, and while the company may send no more of them.
   */
  abstract queue(tx: Transaction, document: RetainerDocument, sending: RetainerSending): Promise<void>;
}
