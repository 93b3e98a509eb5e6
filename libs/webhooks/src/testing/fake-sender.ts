import type { AttemptOutcome } from '../domain/delivery';
import { type SendConditions, type SignedMessage, WebhookSender } from '../application/ports/webhook-sender';

/** Fake receivers: records each request, and answers as configured. */
export class FakeSender extends WebhookSender {
  readonly sent: SignedMessage[] = [];
  answer: (message: SignedMessage) => AttemptOutcome | Promise<AttemptOutcome> = () => ACKNOWLEDGED;

  /** Returns the destination of a URL. Its host is used as the address. */
  destinationOf = (url: string): string => new URL(url).host;

  /** Resolves when a connection is ready. */
  connecting: () => Promise<unknown> = () => Promise.resolve();

  override async send(
    message: SignedMessage,
    { admits, isWanted }: SendConditions,
  ): Promise<AttemptOutcome | null> {
    if (!admits([this.destinationOf(message.url)])) return null;
    await this.connecting();
    if (performance.now() > isWanted.after && !(await isWanted.ask())) return null;
    this.sent.push(message);
    return this.answer(message);
  }

  override assertAllowed(): Promise<void> {
    return Promise.resolve();
  }
}

export const ACKNOWLEDGED: AttemptOutcome = {
  status: 200,
  failure: null,
  response: 'ok',
  connectionKept: true,
};
export const REFUSED: AttemptOutcome = { status: 500, failure: 'status', response: 'no' };
