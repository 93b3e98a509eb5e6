import type { MailOutcome } from '../../domain/mail';

export interface MailAttachment {
  readonly fileName: string;
  readonly mediaType: string;
  readonly content: Uint8Array;
}

/** A message to one recipient. The headers name all recipients of the call. */
export interface MailMessage {
  /** Of the row, to name a copy of the message. */
  readonly id: number;
  /** Without angle brackets. Equal for all recipients of a call, and in all attempts. */
  readonly messageId: string;
  readonly recipient: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  /** Shown as the sender; the address is that of the installation. */
  readonly fromName: string;
  /** Null if there is none that every mail server takes. */
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  /** The same as a page. */
  readonly html: string;
  readonly date: Date;
  /** Whether no person has sent it, so that absence notices do not answer (RFC 3834). */
  readonly isAutomatic: boolean;
  readonly attachments: readonly MailAttachment[];
}

export interface HandOver {
  /**
   * Called once, when all but the last byte has left the process. If it returns false or throws, the connection is
   * closed, and the server drops the message.
   */
  readonly begin: () => Promise<boolean>;
  /** Closes the connection, unless `begin` was called. */
  readonly signal: AbortSignal;
}

export abstract class MailServer {
  /** False if this installation sends no mail. */
  abstract readonly isConfigured: boolean;

  /** Hands a message over, and returns what became of it. Never throws. It has time limits of its own. */
  abstract deliver(message: MailMessage, handOver: HandOver): Promise<MailOutcome>;
}
