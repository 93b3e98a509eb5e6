import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { AllowedNetwork } from '@counterfoil/config';
import { AppError, assertNoTransaction } from '@counterfoil/kernel';
import { AddressGuard, type Target, targetOf } from './address-guard';
import { addressRule } from './address-rule';
import { type Answer, exchange } from './exchange';
import { hostResolver, type ResolveHost } from './host-resolver';
import { watchIdleConnections } from './idle-connections';
import { OutboundError } from './outbound-error';
import { OutboundHttp, type OutboundRequest, type OutboundResponse } from './outbound-http';

export interface NodeOutboundHttpOptions {
  readonly allowedNetworks: readonly AllowedNetwork[];
  /**
   * A request beyond it waits for a connection, within its own time. No limit when left out: whoever sends limits what
   * is in flight, and two endpoints on one host must not wait for each other.
   */
  readonly connectionsPerOriginMax?: number;
  /** How long an unused connection is kept. */
  readonly idleTimeoutMs?: number;
  /** How many unused connections are kept, to all origins together. */
  readonly idleConnectionsMax?: number;
  readonly resolve?: ResolveHost;
  /** Certificate authorities instead of Node's own. */
  readonly ca?: string;
}

/** Shorter than the five seconds after which many servers close. */
const IDLE_TIMEOUT_MS = 4000;
/** Half of the file descriptors that a process commonly has. */
const IDLE_CONNECTIONS_MAX = 500;
const HEADERS_MAX_BYTES = 16 * 1024;
const BODY_GRACE_MS = 1000;
const REGISTRATION_LOOKUP_MS = 2000;
/** The time for one address of several before the next is tried beside it. */
const ADDRESS_ATTEMPT_MS = 500;
const REDIRECTS = [301, 302, 303, 307, 308];
/** What still says nothing about the caller when a redirect leads to another origin. */
const HEADERS_FOR_ANYBODY = ['accept', 'accept-language', 'user-agent'];

/** `OutboundHttp` on Node's own client: HTTP/1.1, connections kept and shared, no proxy, no decompression. */
export class NodeOutboundHttp extends OutboundHttp {
  private readonly guard: AddressGuard;
  private readonly plainAgent: http.Agent;
  private readonly secureAgent: https.Agent;

  constructor(options: NodeOutboundHttpOptions) {
    super();
    this.guard = new AddressGuard(options.resolve ?? hostResolver(), addressRule(options.allowedNetworks));
    const { connectionsPerOriginMax = Number.POSITIVE_INFINITY } = options;
    const pooling: http.AgentOptions = {
      keepAlive: true,
      maxSockets: connectionsPerOriginMax,
      maxFreeSockets: connectionsPerOriginMax,
      timeout: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
    };
    this.plainAgent = new http.Agent(pooling);
    this.secureAgent = new https.Agent({
      ...pooling,
      ALPNProtocols: ['http/1.1'],
      // Written out, so that NODE_TLS_REJECT_UNAUTHORIZED=0 cannot switch it off.
      rejectUnauthorized: true,
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    });
    // All connections are made on the same terms: what they may be used for is told by where they lead.
    this.secureAgent.getName = ({ host, port, servername } = {}) => `${host}:${port}:${servername ?? ''}`;
    watchIdleConnections(
      [this.plainAgent, this.secureAgent],
      options.idleConnectionsMax ?? IDLE_CONNECTIONS_MAX,
    );
  }

  override async send(request: OutboundRequest): Promise<OutboundResponse> {
    assertNoTransaction('an outbound request');
    const redirectsMax = request.redirectsMax ?? 0;
    if (redirectsMax > 0 && request.method !== 'GET' && request.method !== 'HEAD') {
      throw new Error(`redirects of ${request.method} are not followed`);
    }
    const deadline = performance.now() + request.timeoutMs;
    const first = targetOf(request.url);
    let target = first;
    for (let redirects = 0; ; redirects += 1) {
      const answer = await this.ask(target, target.url.origin === first.url.origin, request, deadline);
      const next = redirectsMax > 0 ? redirectOf(answer, target) : null;
      if (!next) return { ...answer, url: target.url.href };
      if (redirects === redirectsMax) throw new OutboundError('protocol', 'the answer redirects too often');
      target = next;
    }
  }

  override async assertAllowed(url: string): Promise<void> {
    try {
      const { host, port } = targetOf(url);
      await atMost(REGISTRATION_LOOKUP_MS, this.guard.addressesOf(host, port));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      if (error.failure === 'blocked') throw new AppError('URL_NOT_ALLOWED', error.message, { cause: error });
    }
  }

  override close(): Promise<void> {
    this.plainAgent.destroy();
    this.secureAgent.destroy();
    return Promise.resolve();
  }

  private async ask(
    target: Target,
    sameOrigin: boolean,
    request: OutboundRequest,
    deadline: number,
  ): Promise<Answer> {
    this.guard.assertLiteralAllowed(target);
    // One turn of the event loop: a kept connection whose end has already arrived leaves the pool first.
    await setImmediate();
    const secure = target.url.protocol === 'https:';
    const options: https.RequestOptions = {
      method: request.method,
      headers: headersOf(
        target,
        sameOrigin ? request.headers : headersForAnybody(request.headers),
        request.body,
      ),
      agent: secure ? this.secureAgent : this.plainAgent,
      lookup: this.guard.lookupFor(target),
      maxHeaderSize: HEADERS_MAX_BYTES,
      ...(isIP(target.host) === 0 ? { servername: target.host } : {}),
    };
    const opened = (secure ? https : http).request(target.url, options);
    return exchange(opened, request.body, {
      deadline,
      secure,
      acknowledgeOn: request.acknowledgeOn,
      bodyMaxBytes: request.bodyMaxBytes,
      bodyGraceMs: request.bodyGraceMs ?? BODY_GRACE_MS,
      skipsBody: (status, headers) => (request.redirectsMax ?? 0) > 0 && isRedirect(status, headers),
    });
  }
}

/** As a list, which Node sends as it is: a map it would check and copy, field by field. */
function headersOf(
  { url }: Target,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer | undefined,
): string[] {
  const length = body === undefined ? [] : ['content-length', `${Buffer.byteLength(body)}`];
  return ['host', url.host, ...Object.entries(headers).flat(), ...length];
}

function isRedirect(status: number, headers: http.IncomingHttpHeaders): boolean {
  return REDIRECTS.includes(status) && headers.location !== undefined;
}

function redirectOf({ status, headers }: Answer, from: Target): Target | null {
  return isRedirect(status, headers) ? targetOf(headers.location ?? '', from.url.href) : null;
}

function headersForAnybody(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => HEADERS_FOR_ANYBODY.includes(name.toLowerCase())),
  );
}

/** Waits for `work`, but no longer than so; what becomes of it later is of no interest. */
async function atMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)));
  await Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
