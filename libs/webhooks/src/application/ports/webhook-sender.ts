import type { AttemptOutcome } from '../../domain/delivery';

export interface SignedMessage {
  readonly url: string;
  /** Headers of the request: content type, ids, signatures. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes that were signed. */
  readonly body: string;
}

export type Admits = (destinations: readonly string[]) => boolean;

/** Sends requests to addresses that customers chose. */
export abstract class WebhookSender {
  /**
   * Sends one request. Faults of the endpoint are outcomes; it throws only for a fault of the service. The
   * total time is limited to the configured timeout, which starts when the request is sent, plus two seconds
   * for connecting, plus one second for the body after the status.
   *
   * @param admits called before connecting, with the possible destinations
   * @returns null if `admits` refused the attempt: nothing was sent
   */
  abstract send(message: SignedMessage, admits: Admits): Promise<AttemptOutcome | null>;
  /** @throws AppError `URL_NOT_ALLOWED` if the address is forbidden (contract §15.2) */
  abstract assertAllowed(url: string): Promise<void>;
}
