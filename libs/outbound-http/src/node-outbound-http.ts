import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import tls from 'node:tls';
import type { AllowedNetwork } from '@counterfoil/config';
import { AppError, assertNoTransaction, machineOf } from '@counterfoil/kernel';
import { AddressGuard, lookupOf, type Target, targetOf } from './address-guard';
import { type Answer, exchange } from './exchange';
import { hostResolver, type ResolveHost } from './host-resolver';
import { OutboundError } from './outbound-error';
import { NotAdmitted, OutboundHttp, type OutboundRequest, type OutboundResponse } from './outbound-http';

export interface NodeOutboundHttpOptions {
  readonly allowedNetworks: readonly AllowedNetwork[];
  /**
   * Further requests wait for a connection, within their own time. No limit by default: the sender bounds the
   * requests under way, and two endpoints on one host must not wait for each other.
   */
  readonly connectionsPerOriginMax?: number;
  /** How long an unused connection is kept. */
  readonly idleTimeoutMs?: number;
  /** How many unused connections are kept, to all origins together. */
  readonly idleConnectionsMax?: number;
  readonly resolve?: ResolveHost;
  /** How long a name may take to resolve, and each name that is refused does take, where the request has as long. */
  readonly nameLookupMs?: number;
  /** Certificate authorities instead of Node's own. */
  readonly ca?: string;
}

/** Shorter than the five seconds after which many servers close. */
const IDLE_TIMEOUT_MS = 4000;
/** Half of the file descriptors that a process commonly has. */
const IDLE_CONNECTIONS_MAX = 500;
const HEADERS_MAX_BYTES = 16 * 1024;
const BODY_GRACE_MS = 1000;
const NAME_LOOKUP_MS = 2000;
/** As long as an unused connection is kept, so that a pool of connections is found again by its addresses. */
const ROUTE_TTL_MS = IDLE_TIMEOUT_MS;
const ROUTES_MAX = 10_000;
/** The time for one address of several before the next is tried beside it. */
const ADDRESS_ATTEMPT_MS = 500;
const REDIRECTS = [301, 302, 303, 307, 308];
/** The headers that reveal nothing about the caller when a redirect leads to another origin. */
const HEADERS_FOR_ANYBODY = ['accept', 'accept-language', 'user-agent'];

/** Where the connections to a host lead. */
interface Route {
  readonly addresses: readonly string[];
  readonly destinations: readonly string[];
  readonly until: number;
}

/** `OutboundHttp` on Node's own client: HTTP/1.1, connections kept and shared, no proxy, no decompression. */
export class NodeOutboundHttp extends OutboundHttp {
  private readonly guard: AddressGuard;
  private readonly plainAgent: http.Agent;
  private readonly secureAgent: https.Agent;
  private readonly routes = new Map<string, Route>();

  constructor(options: NodeOutboundHttpOptions) {
    super();
    const { allowedNetworks, resolve = hostResolver(), nameLookupMs = NAME_LOOKUP_MS } = options;
    this.guard = new AddressGuard(resolve, allowedNetworks, nameLookupMs);
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
      // One for all: else each connection would make its own, which takes as long as half a handshake, and keep it.
      secureContext: tls.createSecureContext(options.ca === undefined ? {} : { ca: options.ca }),
    });
    // All connections are made on the same terms: their destination decides which requests may use them. A host whose
    // addresses change does not get the connections to its former ones.
    this.plainAgent.getName = this.secureAgent.getName = poolOf;
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
      await this.guard.assertRegistrable(targetOf(url));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new AppError('URL_NOT_ALLOWED', error.message, { cause: error });
    }
  }

  override close(): Promise<void> {
    this.plainAgent.destroy();
    this.secureAgent.destroy();
    return Promise.resolve();
  }

  private knownRoute({ host, port }: Target): Route | undefined {
    const known = this.routes.get(`${host}:${port}`);
    return known && known.until > performance.now() ? known : undefined;
  }

  /** Remembered for a while where it is allowed: a name is not looked up for each request on a kept connection. */
  private async routeOf(target: Target, deadline: number): Promise<Route> {
    const leftMs = Math.max(0, deadline - performance.now());
    const addresses = await this.guard.addressesOf(target, leftMs);
    const destinations = [...new Set(addresses.map(machineOf))].sort();
    const route = { addresses, destinations, until: performance.now() + ROUTE_TTL_MS };
    if (this.routes.size >= ROUTES_MAX) this.routes.clear();
    this.routes.set(`${target.host}:${target.port}`, route);
    return route;
  }

  private async ask(
    target: Target,
    sameOrigin: boolean,
    request: OutboundRequest,
    deadline: number,
  ): Promise<Answer> {
    const route = this.knownRoute(target) ?? (await this.routeOf(target, deadline));
    const { addresses, destinations } = route;
    if (request.admits?.(destinations) === false) throw new NotAdmitted();
    // One turn of the event loop: a kept connection whose end has already arrived leaves the pool first.
    await setImmediate();
    const secure = target.url.protocol === 'https:';
    const options: https.RequestOptions & PoolOptions = {
      method: request.method,
      headers: headersOf(
        target,
        sameOrigin ? request.headers : headersForAnybody(request.headers),
        request.body,
      ),
      agent: secure ? this.secureAgent : this.plainAgent,
      lookup: lookupOf(addresses),
      destinations,
      maxHeaderSize: HEADERS_MAX_BYTES,
      ...(isIP(target.host) === 0 ? { servername: target.host } : {}),
    };
    const opened = (secure ? https : http).request(target.url, options);
    return exchange(opened, request.body, {
      startedAt: deadline - request.timeoutMs,
      deadline,
      connectingMaxMs: request.connectingMaxMs ?? 0,
      secure,
      acknowledgeOn: request.acknowledgeOn,
      bodyMaxBytes: request.bodyMaxBytes,
      bodyGraceMs: request.bodyGraceMs ?? BODY_GRACE_MS,
      signal: request.signal,
      skipsBody: (status, headers) => (request.redirectsMax ?? 0) > 0 && isRedirect(status, headers),
    });
  }
}

interface PoolOptions {
  readonly destinations?: readonly string[];
}

/** The name of the pool of connections that a request may use. */
function poolOf({ host, port, servername, destinations }: https.RequestOptions & PoolOptions = {}): string {
  return `${host}:${port}:${servername ?? ''}:${destinations?.join(',') ?? ''}`;
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

/**
 * Watches the connections that the agents keep unused.
 *
 * Bytes on one would be read as the answer to the next request: it is dropped instead. And the agents count by
 * origin only, while a customer may name thousands of hosts: beyond `max` together the longest unused is dropped.
 * The agents' own limit of all connections would make requests to other origins wait instead.
 */
function watchIdleConnections(agents: readonly http.Agent[], max: number): void {
  const idle = new Set<Duplex>();
  function drop(this: Duplex): void {
    this.destroy();
  }
  function forget(this: Duplex): void {
    idle.delete(this);
  }
  for (const agent of agents) {
    const [keep, reuse] = [agent.keepSocketAlive.bind(agent), agent.reuseSocket.bind(agent)];
    agent.keepSocketAlive = (socket) => {
      // Node passes the answer of its own method on, though its types do not declare it.
      const kept: unknown = keep(socket);
      if (kept === false) return kept;
      idle.add(socket.on('data', drop).on('close', forget));
      dropLongestUnused(idle, max);
      return kept;
    };
    agent.reuseSocket = (socket, request) => {
      idle.delete(socket.off('data', drop).off('close', forget));
      reuse(socket, request);
    };
  }
}

function dropLongestUnused(idle: Set<Duplex>, max: number): void {
  for (const socket of idle) {
    if (idle.size <= max) return;
    idle.delete(socket);
    // The agent may not have noticed when it looks for a connection next: it skips destroyed ones at the head of its
    // list, where the longest unused of an origin is.
    socket.destroy();
  }
}
