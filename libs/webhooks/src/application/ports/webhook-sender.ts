import type { AttemptOutcome } from '../../domain/delivery';

export interface SignedMessage {
  readonly url: string;
  /** Sent with the request: content type, ids, signatures. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes that were signed. */
  readonly body: string;
}

export type Admits = (destinations: readonly string[]) => boolean;

/** Sends to addresses that customers chose. */
export abstract class WebhookSender {
  /**
   * Makes one request. All faults of the endpoint are outcomes; a throw means that the fault is ours. Ends within the
   * configured time-out, counted from when the request is sent, plus two seconds to connect, plus the second that the
   * answer's body is given after its status.
   *
   * @param admits asked before the connection, with the destinations that it may lead to
   * @returns null if `admits` refused it: nothing was sent
   */
  abstract send(message: SignedMessage, admits: Admits): Promise<AttemptOutcome | null>;
  /** @throws AppError `URL_NOT_ALLOWED` when the address may not be reached (contract §15.2) */
  abstract assertAllowed(url: string): Promise<void>;
}
