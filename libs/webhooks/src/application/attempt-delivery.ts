import { Config } from '@counterfoil/config';
import { Clock, inTime } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { currentTraceHeaders, inTrace, type NewSpan, type Span } from '@counterfoil/tracing';
import { Injectable } from '@nestjs/common';
import { afterAttempt } from '../domain/delivery';
import { deliveryHeaders } from '../domain/signature';
import { webhookAttemptSeconds, webhookDroppedTotal } from './metrics';
import type { ClaimedDelivery, MadeAttempt } from './ports/delivery.repository';
import { EndpointRepository } from './ports/endpoint.repository';
import { type Admits, type SignedMessage, WebhookSender } from './ports/webhook-sender';
import { SigningSecrets } from './signing-secrets';

/** A first byte later than this after the claim is sent only to an endpoint that is still active. */
const LATE_MS = 250;
/**
 * A later answer of the database may be out of date. Less than `InFlightBarrier` waits after a removal that the question
 * has missed.
 */
const CONFIRMING_MAX_MS = 450;

/** The database did not say in time whether the endpoint is still active, so nothing was sent. */
export class Unconfirmed extends Error {
  /** The pause after it. The database is slow, so an immediate repetition would make it slower. */
  readonly pauseMs = 5_000;
}

export interface AttemptConditions {
  /** Decides whether the attempt may be made; see `WebhookSender.send`. */
  readonly admits: Admits;
  /** When the statement began that claimed the delivery, on the monotonic clock. */
  readonly claimedAt: number;
}

/** Makes one attempt of a claimed delivery: signs it, and sends it with no transaction open. */
@Injectable()
export class AttemptDelivery {
  constructor(
    private readonly config: Config,
    private readonly sender: WebhookSender,
    private readonly secrets: SigningSecrets,
    private readonly endpoints: EndpointRepository,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * @returns null if `admits` refused the attempt, or if the endpoint was removed or paused while it was connected to
   * @throws Unconfirmed
   * @throws Error only for a fault of this service; a fault of the endpoint is part of the returned attempt
   */
  execute(claim: ClaimedDelivery, conditions: AttemptConditions): Promise<MadeAttempt | null> {
    const attemptSpan = () => spanOf(claim);
    return inTrace(claim.trace, attemptSpan, async (span) => {
      const attempt = await this.attempt(claim, conditions);
      if (attempt) describe(span, attempt);
      else span.discard();
      return attempt;
    });
  }

  private async attempt(
    claim: ClaimedDelivery,
    { admits, claimedAt }: AttemptConditions,
  ): Promise<MadeAttempt | null> {
    const startedAt = this.clock.now();
    const sentAt = performance.now();
    const isWanted = { after: claimedAt + LATE_MS, ask: () => this.isActive(claim) };
    const outcome = await this.sender.send(this.sign(claim, startedAt), { admits, isWanted });
    if (!outcome) return null;
    // Monotonic time, because the clock may be changed meanwhile, for example by a failover to another
    // database server.
    const durationMs = Math.round(performance.now() - sentAt);
    const next = afterAttempt(outcome, claim.tries + 1, this.clock.now(), this.config.webhookRetryDelaysMs);
    const attempt = { startedAt, durationMs, outcome, next };
    this.report(claim, attempt);
    return attempt;
  }

  private async isActive({ id: deliveryId, endpointId }: ClaimedDelivery): Promise<boolean> {
    const askedAt = performance.now();
    const isActive = await inTime(this.endpoints.isActive(endpointId), CONFIRMING_MAX_MS).catch(() => null);
    // `inTime` accepts an answer that this process was too busy to read, but such an answer may be out of date.
    if (isActive !== null && performance.now() - askedAt <= CONFIRMING_MAX_MS) return isActive;
    this.log.warn(
      { deliveryId, endpointId },
      'an endpoint was not confirmed to be active; its delivery waits',
    );
    throw new Unconfirmed();
  }

  /**
   * Each attempt gets a new signature, because receivers refuse an old timestamp. The body never changes. The headers of
   * the trace, if there is one, are not signed.
   */
  private sign(claim: ClaimedDelivery, at: Date): SignedMessage {
    const event = { id: claim.eventId, type: claim.eventType, body: claim.body };
    const headers = deliveryHeaders(event, this.secrets.signing(claim, at), at);
    return { url: claim.url, body: claim.body, headers: { ...headers, ...currentTraceHeaders() } };
  }

  private report(claim: ClaimedDelivery, { durationMs, outcome, next }: MadeAttempt): void {
    webhookAttemptSeconds.observe({ outcome: outcome.failure ?? 'delivered' }, durationMs / 1000);
    if (next.state === 'dropped') webhookDroppedTotal.inc();
    const { status, failure, cause } = outcome;
    const fields = {
      companyId: claim.companyId,
      endpointId: claim.endpointId,
      deliveryId: claim.id,
      eventId: claim.eventId,
      eventType: claim.eventType,
      attempt: claim.attempts + 1,
      status,
      failure,
      cause,
      durationMs,
    };
    this.log.info({ ...fields, state: next.state, nextAttemptAt: next.nextAttemptAt }, 'webhook attempt');
  }
}

/** Of the URL only the host, because path and query may contain secrets of the receiver. */
function spanOf({ id, companyId, eventId, eventType, attempts, url }: ClaimedDelivery): NewSpan {
  const { hostname } = new URL(url);
  return {
    name: 'webhook attempt',
    kind: 'client',
    attributes: {
      'http.request.method': 'POST',
      'server.address': hostname,
      'counterfoil.company_id': companyId,
      'counterfoil.delivery_id': id,
      'counterfoil.event_id': eventId,
      'counterfoil.event_type': eventType,
      'counterfoil.attempt': attempts + 1,
    },
  };
}

function describe(span: Span, { outcome: { status, failure }, next }: MadeAttempt): void {
  span.set({ 'http.response.status_code': status ?? undefined, 'counterfoil.delivery_state': next.state });
  if (failure !== null) span.fail(failure);
}
