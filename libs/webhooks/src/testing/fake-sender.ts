import type { AttemptOutcome } from '../domain/delivery';
import { type SignedMessage, WebhookSender } from '../application/ports/webhook-sender';

/** Stands for the receivers out there: records what it was given, and answers as it was told. */
export class FakeSender extends WebhookSender {
  readonly sent: SignedMessage[] = [];
  answer: (message: SignedMessage) => AttemptOutcome | Promise<AttemptOutcome> = () => ACKNOWLEDGED;

  override async send(message: SignedMessage): Promise<AttemptOutcome> {
    this.sent.push(message);
    return this.answer(message);
  }

  override assertAllowed(): Promise<void> {
    return Promise.resolve();
  }
}

export const ACKNOWLEDGED: AttemptOutcome = { status: 200, failure: null, response: 'ok' };
export const REFUSED: AttemptOutcome = { status: 500, failure: 'status', response: 'no' };
