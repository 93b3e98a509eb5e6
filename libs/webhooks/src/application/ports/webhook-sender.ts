import type { AttemptOutcome } from '../../domain/delivery';

export interface SignedMessage {
  readonly url: string;
  /** Headers of the request: content type, ids, signatures. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes that were signed. */
  readonly body: string;
}

export type Admits = (destinations: readonly string[]) => boolean;

/** Decisions while a request is being sent. Nothing is sent if one of them is no. */
export interface SendConditions {
  /** Called before connecting, with the possible destinations. */
  readonly admits: Admits;
  /** Asked before the first byte, unless it is soon after the claim: the endpoint may have been removed or paused. */
  readonly isWanted: { readonly after: number; readonly ask: () => Promise<boolean> };
}

/** Sends requests to addresses that customers chose. */
export abstract class WebhookSender {
  /**
   * Sends one request. Faults of the endpoint are outcomes; it throws only for a fault of the service. The
   * total time is limited to the configured timeout, which starts when the request is sent, plus two seconds
   * for connecting, plus one second for the body after the status.
   *
   * @returns null if a condition refused the attempt: nothing was sent
   */
  abstract send(message: SignedMessage, conditions: SendConditions): Promise<AttemptOutcome | null>;
  /** @throws AppError `URL_NOT_ALLOWED` if the address is forbidden (contract §15.2) */
  abstract assertAllowed(url: string): Promise<void>;
}
