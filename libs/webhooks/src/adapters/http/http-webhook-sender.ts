import { Config } from '@counterfoil/config';
import { NotAdmitted, OutboundError, OutboundHttp } from '@counterfoil/outbound-http';
import { Injectable } from '@nestjs/common';
import {
  type SendConditions,
  type SignedMessage,
  WebhookSender,
} from '../../application/ports/webhook-sender';
import type { AttemptOutcome } from '../../domain/delivery';

/**
 * The maximum of stored bytes of a response. The time limit of its body starts with its status (contract
 * §15.10).
 */
const RESPONSE_BYTES_MAX = 1024;
const BODY_GRACE_MS = 1_000;
/**
 * The time limit of an attempt starts when the request is sent, so connecting has a limit of its own. The
 * lease allows for it.
 */
const CONNECTING_MAX_MS = 2_000;
const MODEST_BYTES_MAX = 64 * 1024;

@Injectable()
export class HttpWebhookSender extends WebhookSender {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: Config,
  ) {
    super();
  }

  override async send(
    { url, headers, body }: SignedMessage,
    { admits, isWanted }: SendConditions,
  ): Promise<AttemptOutcome | null> {
    try {
      const answer = await this.http.send({
        method: 'POST',
        url,
        headers,
        body,
        timeoutMs: this.config.webhookTimeoutMs,
        connectingMaxMs: CONNECTING_MAX_MS,
        bodyMaxBytes: RESPONSE_BYTES_MAX,
        acknowledgeOn: 'status',
        bodyGraceMs: BODY_GRACE_MS,
        admits,
        confirm: isWanted,
      });
      const acknowledged = answer.status >= 200 && answer.status < 300;
      return {
        status: answer.status,
        failure: acknowledged ? null : 'status',
        response: textOf(answer.body),
        cutOff: !answer.bodyComplete && !isModest(answer.headers['content-length']),
        connectionKept: answer.connectionKept,
      };
    } catch (error) {
      if (error instanceof OutboundError && !isOurs(error))
        return { status: null, failure: error.failure, response: null, ...causeOf(error) };
      if (error instanceof NotAdmitted) return null;
      throw error;
    }
  }

  override assertAllowed(url: string): Promise<void> {
    return this.http.assertAllowed(url);
  }
}

/**
 * True if the response declares a length that is acceptable, even if it is longer than the part that is read.
 */
function isModest(contentLength: string | undefined): boolean {
  return contentLength !== undefined && Number(contentLength) <= MODEST_BYTES_MAX;
}

/** True if this process has no socket left, which is not the endpoint's fault. */
function isOurs({ cause }: OutboundError): boolean {
  return ['EMFILE', 'ENFILE'].includes(String((cause as { code?: unknown } | undefined)?.code));
}

function causeOf({ cause }: OutboundError): { readonly cause?: string } {
  return cause instanceof Error ? { cause: cause.message } : {};
}

/**
 * Converts an untrusted response to text that a customer can read. NUL is removed because PostgreSQL cannot
 * store it.
 */
function textOf(body: Buffer): string {
  return body.toString('utf8').replaceAll('\0', '\uFFFD');
}
