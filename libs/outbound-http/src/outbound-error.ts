/**
 * The reason why a request has no usable response.
 * - `blocked`: the URL, its literal address or its local name is forbidden.
 * - `dns`: the name does not exist, or one of its addresses is forbidden.
 * - `connect`: no connection.
 * - `tls`: no secure connection.
 * - `timeout`: the time limit was exceeded.
 * - `reset`: the connection was lost.
 * - `protocol`: the response is not HTTP/1.1, redirects too often, has too many small pieces or too many 1xx
 *   before it.
 * - `too_large`: the response exceeds its limit.
 */
export type OutboundFailure =
  'blocked' | 'dns' | 'connect' | 'tls' | 'timeout' | 'reset' | 'protocol' | 'too_large';

/** The phase in which a connection failed. */
export type ConnectionPhase = 'connect' | 'tls' | 'exchange';

const MESSAGES: Readonly<Record<OutboundFailure, string>> = {
  blocked: 'the address is not public, and OUTBOUND_ALLOWED_CIDRS does not allow it',
  dns: 'the host name does not resolve to an address that may be reached',
  connect: 'the connection could not be made',
  tls: 'the secure connection could not be made',
  timeout: 'no complete answer in time',
  reset: 'the connection was closed before the answer was complete',
  protocol: 'the answer is not valid HTTP/1.1',
  too_large: 'the answer is too large',
};

const FAILURE_OF_CODE: Readonly<Record<string, OutboundFailure>> = {
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  EHOSTDOWN: 'connect',
  EADDRNOTAVAIL: 'connect',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  EPROTO: 'tls',
  HPE_HEADER_OVERFLOW: 'too_large',
};

/** Used for error codes that are not listed, such as OpenSSL's codes for invalid certificates. */
const FAILURE_OF_PHASE: Readonly<Record<ConnectionPhase, OutboundFailure>> = {
  connect: 'connect',
  tls: 'tls',
  exchange: 'protocol',
};

/**
 * A request failed. The message may be shown to customers: it consists of fixed texts and at most a
 * well-known error code.
 */
export class OutboundError extends Error {
  constructor(
    readonly failure: OutboundFailure,
    message: string = MESSAGES[failure],
    options: { readonly cause?: unknown } = {},
  ) {
    super(message, options);
    this.name = 'OutboundError';
  }
}

/** Converts an error of Node by its code, never by its message. */
export function outboundErrorOf(error: unknown, phase: ConnectionPhase): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = codeOf(error);
  const failure = FAILURE_OF_CODE[code] ?? failureOfPrefix(code) ?? FAILURE_OF_PHASE[phase];
  const message = code === '' ? MESSAGES[failure] : `${MESSAGES[failure]} (${code})`;
  return new OutboundError(failure, message, { cause: error });
}

function failureOfPrefix(code: string): OutboundFailure | undefined {
  if (code.startsWith('HPE_')) return 'protocol';
  return code.startsWith('ERR_TLS_') || code.startsWith('ERR_SSL_') ? 'tls' : undefined;
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : '';
}
