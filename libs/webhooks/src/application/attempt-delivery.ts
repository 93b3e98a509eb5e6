import { Config } from '@counterfoil/config';
import { Clock } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { afterAttempt } from '../domain/delivery';
import { serviceSignature, standardWebhooksSignature } from '../domain/signature';
import { webhookAttemptSeconds } from './metrics';
import type { ClaimedDelivery, MadeAttempt } from './ports/delivery.repository';
import { type Admits, type SignedMessage, WebhookSender } from './ports/webhook-sender';
import { SigningSecrets } from './signing-secrets';

/** Makes one attempt of a claimed delivery: signs, and sends with no transaction open. */
@Injectable()
export class AttemptDelivery {
  constructor(
    private readonly config: Config,
    private readonly sender: WebhookSender,
    private readonly secrets: SigningSecrets,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * @param admits as `WebhookSender.send` has it
   * @returns null where `admits` refused it: no attempt was made
   * @throws Error only by a fault of ours: whatever the endpoint does wrong is an outcome
   */
  async execute(claim: ClaimedDelivery, admits: Admits): Promise<MadeAttempt | null> {
    const startedAt = this.clock.now();
    const outcome = await this.sender.send(this.sign(claim, startedAt), admits);
    if (!outcome) return null;
    const endedAt = this.clock.now();
    // The clock may have been set back by a little.
    const durationMs = Math.max(0, endedAt.getTime() - startedAt.getTime());
    const next = afterAttempt(outcome, claim.tries + 1, endedAt, this.config.webhookRetryDelaysMs);
    const attempt = { startedAt, durationMs, outcome, next };
    this.report(claim, attempt);
    return attempt;
  }

  /** Signs afresh for each attempt, since receivers refuse an old time; the body stays as it was written. */
  private sign(claim: ClaimedDelivery, at: Date): SignedMessage {
    const { body } = claim;
    const secrets = this.secrets.signing(claim, at);
    const timestamp = Math.floor(at.getTime() / 1000);
    return {
      url: claim.url,
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Counterfoil-Webhooks/1',
        'service-signature': serviceSignature(secrets, timestamp, body),
        'service-event-id': claim.eventId,
        'service-event-type': claim.eventType,
        'webhook-id': claim.eventId,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': standardWebhooksSignature(secrets, claim.eventId, timestamp, body),
      },
    };
  }

  private report(claim: ClaimedDelivery, { durationMs, outcome, next }: MadeAttempt): void {
    webhookAttemptSeconds.observe({ outcome: outcome.failure ?? 'delivered' }, durationMs / 1000);
    const { status, failure, cause } = outcome;
    const fields = {
      deliveryId: claim.id,
      eventId: claim.eventId,
      attempt: claim.attempts + 1,
      status,
      failure,
      cause,
      durationMs,
    };
    this.log.info({ ...fields, state: next.state, nextAttemptAt: next.nextAttemptAt }, 'webhook attempt');
  }
}
