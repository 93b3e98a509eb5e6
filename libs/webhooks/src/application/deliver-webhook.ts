import { Config } from '@counterfoil/config';
import { Clock } from '@counterfoil/kernel';
import { Log, webhookAttemptSeconds } from '@counterfoil/observability';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { afterAttempt } from '../domain/delivery';
import { serviceSignature, standardWebhooksSignature } from '../domain/signature';
import { DeliveryJobs } from './delivery-jobs';
import { type ClaimedDelivery, DeliveryRepository, type MadeAttempt } from './ports/delivery.repository';
import { type SignedMessage, WebhookSender } from './ports/webhook-sender';
import { SigningSecrets } from './signing-secrets';

/** What a claim outlasts the longest attempt by. A worker that is gone for longer has lost its claim. */
const LEASE_MARGIN_MS = 5_000;

const PAUSE_AFTER_OUR_FAULT_MS = 60_000;

/** Makes one attempt of one delivery: claim, sign, send with no transaction open, record. */
@Injectable()
export class DeliverWebhook {
  constructor(
    private readonly config: Config,
    private readonly deliveries: DeliveryRepository,
    private readonly outbox: Outbox,
    private readonly sender: WebhookSender,
    private readonly secrets: SigningSecrets,
    private readonly jobs: DeliveryJobs,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Does nothing for a delivery that is not due, has ended, or is in another worker's hands. What fails on our side
   * counts as no attempt: it is put off, so that it neither hides others from the sweep nor floods the log.
   */
  async execute(deliveryId: number): Promise<void> {
    const leaseMs = this.config.webhookTimeoutMs + LEASE_MARGIN_MS;
    const claim = await this.deliveries.claim(deliveryId, this.clock.now(), leaseMs);
    if (!claim) return;
    try {
      await this.deliver(claim);
    } catch (error) {
      const until = new Date(this.clock.now().getTime() + PAUSE_AFTER_OUR_FAULT_MS);
      await this.deliveries.postpone(claim, until);
      throw error;
    }
  }

  private async deliver(claim: ClaimedDelivery): Promise<void> {
    const body = await this.outbox.bodyOf(claim.eventId);
    if (body === null) throw new Error(`event ${claim.eventId} of delivery ${claim.id} is missing`);

    const attempt = await this.attempt(claim, body);
    if (!(await this.deliveries.record(claim, attempt))) {
      const fields = { deliveryId: claim.id, eventId: claim.eventId };
      this.log.warn(fields, 'a late attempt was not recorded: the claim had passed on');
      return;
    }
    const { nextAttemptAt } = attempt.next;
    if (nextAttemptAt) await this.jobs.add([{ id: claim.id, attempts: claim.attempts + 1, nextAttemptAt }]);
  }

  private async attempt(claim: ClaimedDelivery, body: string): Promise<MadeAttempt> {
    const startedAt = this.clock.now();
    const outcome = await this.sender.send(this.sign(claim, body, startedAt));
    const endedAt = this.clock.now();
    const durationMs = endedAt.getTime() - startedAt.getTime();
    const next = afterAttempt(outcome, claim.attempts + 1, endedAt, this.config.webhookRetryDelaysMs);
    this.report(claim, { startedAt, durationMs, outcome, next });
    return { startedAt, durationMs, outcome, next };
  }

  /** Signs afresh for each attempt, since receivers refuse an old time; the body stays as it was written. */
  private sign(claim: ClaimedDelivery, body: string, at: Date): SignedMessage {
    const secret = this.secrets.open(claim.secretSealed);
    const timestamp = Math.floor(at.getTime() / 1000);
    return {
      url: claim.url,
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Counterfoil-Webhooks/1',
        'service-signature': serviceSignature(secret, timestamp, body),
        'service-event-id': claim.eventId,
        'service-event-type': claim.eventType,
        'webhook-id': claim.eventId,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': standardWebhooksSignature(secret, claim.eventId, timestamp, body),
      },
    };
  }

  private report(claim: ClaimedDelivery, { durationMs, outcome, next }: MadeAttempt): void {
    webhookAttemptSeconds.observe({ outcome: outcome.failure ?? 'delivered' }, durationMs / 1000);
    const { status, failure } = outcome;
    const fields = {
      deliveryId: claim.id,
      eventId: claim.eventId,
      attempt: claim.attempts + 1,
      status,
      failure,
      durationMs,
    };
    this.log.info({ ...fields, state: next.state, nextAttemptAt: next.nextAttemptAt }, 'webhook attempt');
  }
}
