import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import tls from 'node:tls';
import type { AllowedNetwork } from '@counterfoil/config';
import { AppError, assertNoTransaction, machineOf } from '@counterfoil/kernel';
import { AddressGuard, lookupOf, type Target, targetOf } from './address-guard';
import { exchange, type ReceivedResponse } from './exchange';
import { hostResolver, type ResolveHost } from './host-resolver';
import { OutboundError } from './outbound-error';
import { NotAdmitted, OutboundHttp, type OutboundRequest, type OutboundResponse } from './outbound-http';

export interface NodeOutboundHttpOptions {
  readonly allowedNetworks: readonly AllowedNetwork[];
  /**
   * Further requests wait for a connection within their own time limit. Default: no limit, because the caller
   * limits its requests, and two endpoints on one host must not wait for each other.
   */
  readonly connectionsPerOriginMax?: number;
  /** How long an idle connection is kept. */
  readonly idleTimeoutMs?: number;
  /** Maximum number of idle connections over all origins. */
  readonly idleConnectionsMax?: number;
  readonly resolve?: ResolveHost;
  /**
   * Time limit for resolving a name, and constant duration of refused look-ups, unless the request has less
   * time.
   */
  readonly nameLookupMs?: number;
  /** Certificate authorities. Default: those of Node. */
  readonly ca?: string;
}

/** Many servers close idle connections after five seconds, so this is shorter. */
const IDLE_TIMEOUT_MS = 4000;
/** About half of the usual limit of 1,024 file descriptors for each process. */
const IDLE_CONNECTIONS_MAX = 500;
const HEADERS_MAX_BYTES = 16 * 1024;
const BODY_GRACE_MS = 1000;
const NAME_LOOKUP_MS = 2000;
/**
 * The pool of connections is found by its addresses, so they are cached for as long as an idle connection is
 * kept.
 */
const ROUTE_TTL_MS = IDLE_TIMEOUT_MS;
const ROUTES_MAX = 10_000;
/** The time for one address before the next one is tried in parallel. */
const ADDRESS_ATTEMPT_MS = 500;
const REDIRECTS = [301, 302, 303, 307, 308];
/**
 * Headers that reveal nothing about the caller. Only these are sent if a redirect leads to another origin.
 */
const HEADERS_FOR_ANYBODY = ['accept', 'accept-language', 'user-agent'];

/** The addresses of a host, cached for a while. */
interface Route {
  readonly addresses: readonly string[];
  readonly destinations: readonly string[];
  readonly until: number;
}

/**
 * `OutboundHttp` with Node's HTTP client: HTTP/1.1, kept and shared connections, no proxy, no decompression.
 */
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
      // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect.
      rejectUnauthorized: true,
      // Shared, because each connection would otherwise create its own context, which takes as long as half a
      // handshake and uses memory.
      secureContext: tls.createSecureContext(options.ca === undefined ? {} : { ca: options.ca }),
    });
    // All connections have the same options, so only their destination determines which requests may use
    // them. If the addresses of a host change, connections to the previous addresses are not reused.
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

  /** Resolves the host and caches the result, so that requests on a kept connection need no look-up. */
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
  ): Promise<ReceivedResponse> {
    const route = this.knownRoute(target) ?? (await this.routeOf(target, deadline));
    const { addresses, destinations } = route;
    if (request.admits?.(destinations) === false) throw new NotAdmitted();
    // Waits one turn of the event loop, so that a kept connection that the other side has closed leaves the
    // pool first.
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
      confirm: request.confirm,
      skipsBody: (status, headers) => (request.redirectsMax ?? 0) > 0 && isRedirect(status, headers),
    });
  }
}

interface PoolOptions {
  readonly destinations?: readonly string[];
}

/** Returns the key of the connection pool that a request may use. */
function poolOf({ host, port, servername, destinations }: https.RequestOptions & PoolOptions = {}): string {
  return `${host}:${port}:${servername ?? ''}:${destinations?.join(',') ?? ''}`;
}

/**
 * Returns the headers as a list, which Node sends unchanged. It would check and copy an object field by
 * field.
 */
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

function redirectOf({ status, headers }: ReceivedResponse, from: Target): Target | null {
  return isRedirect(status, headers) ? targetOf(headers.location ?? '', from.url.href) : null;
}

function headersForAnybody(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => HEADERS_FOR_ANYBODY.includes(name.toLowerCase())),
  );
}

/**
 * Watches the idle connections of the agents.
 *
 * Data on an idle connection would be read as the response to the next request, so such a connection is
 * dropped. The agents limit idle connections only per origin, and a customer may use thousands of hosts, so
 * beyond `max` in total the connection that has been idle longest is dropped. The agents' own limit for all
 * connections would make requests to other origins wait instead.
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
      // Node returns the result of its own method, although its types do not declare it.
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
    // The agent may not have noticed the removal when it looks for a connection. It skips destroyed
    // connections at the head of its list, which is where the longest idle ones are.
    socket.destroy();
  }
}
