import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { IsraelAuthorityConfig } from '@counterfoil/config';

/** Valid tax numbers of the issuing company and of a customer. */
export const COMPANY_TAX_ID = '777777715';
export const CUSTOMER_TAX_ID = '199999996';

/**
 * The failure of the next request for an allocation number. `lost`: the request is decided, but the
 * connection is cut instead of a response. `hang`: no response until the fake closes. `garbage`: an HTML page
 * instead of JSON.
 */
export type Misbehaviour = 'lost' | 'hang' | 'garbage' | { readonly status: number; readonly body?: unknown };

export interface ReceivedRequest {
  readonly path: string;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** Refusals as in the documentation of version 2.0. */
const REFUSALS: Readonly<Record<number, readonly [message: string, param: string]>> = {
  460: ['Invoice not approved', 'vat_number'],
  461: ['The unapproved invoice exists. No decision was sent', 'invoice_id'],
  462: ['The unapproved invoice exists and decision was sent.', 'vat_number'],
};
const NAMES = ['invoice_id', 'invoice_reference_number', 'invoice_date', 'invoice_issuance_date'];
const IDENTIFIERS = ['invoice_type', 'vat_number', 'customer_vat_number', 'accounting_software_number'];
const AMOUNTS = [
  'amount_before_discount',
  'discount',
  'payment_amount',
  'vat_amount',
  'payment_amount_including_vat',
];
const TOKEN_PATH = '/shaam/tsandbox/longtimetoken/oauth2/token';
const APPROVAL_PATH = '/shaam/tsandbox/Invoices/v2/Approval';

/**
 * A fake tax authority that follows the real one's documentation (docs/allocation-numbers.md): the token
 * endpoint, and the approval of one invoice. A repeated request for an approved invoice gets the same number.
 */
export class AuthorityStandIn {
  /** The requests for allocation numbers, with their answers and without tokens. */
  readonly requests: ReceivedRequest[] = [];
  /** Statuses of the next responses of the token endpoint, in order. */
  readonly tokenAnswers: number[] = [];
  /** Whether each use of a refresh token replaces it and invalidates the old one. */
  rotates = false;
  expiresInSeconds = 601;
  /** The currently valid refresh token. */
  refreshToken = secret();
  readonly clientId = secret();
  readonly clientSecret = secret();
  private readonly accessTokens = new Set<string>();
  private readonly decided = new Map<string, string | number>();
  private readonly toRefuse = new Map<string, number>();
  private readonly misbehaviours: Misbehaviour[] = [];
  private readonly tokenMisbehaviours: Misbehaviour[] = [];

  private constructor(
    private readonly server: http.Server,
    private readonly scheme: string,
  ) {}

  /** Starts it, over HTTPS if `tls` is given. */
  static async start(tls?: { readonly cert: string; readonly key: string }): Promise<AuthorityStandIn> {
    const server = tls ? https.createServer(tls) : http.createServer();
    const standIn = new AuthorityStandIn(server, tls ? 'https' : 'http');
    server.on('request', (request, response) => void standIn.serve(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return standIn;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** The configuration that uses this fake. */
  get config(): IsraelAuthorityConfig {
    const origin = `${this.scheme}://127.0.0.1:${this.port}`;
    return {
      url: `${origin}/shaam/tsandbox`,
      tokenUrl: `${origin}${TOKEN_PATH}`,
      clientId: this.clientId,
      clientSecret: this.clientSecret,
      refreshToken: this.refreshToken,
      softwareNumber: null,
    };
  }

  /** Sets a failure for each of the next requests for allocation numbers. */
  misbehave(...next: Misbehaviour[]): void {
    this.misbehaviours.push(...next);
  }

  /** Sets a failure for each of the next token requests. */
  misbehaveAtToken(...next: Misbehaviour[]): void {
    this.tokenMisbehaviours.push(...next);
  }

  /** Makes it refuse the invoice with 460, 461 or 462. */
  refuse(invoiceId: string, code = 460): void {
    this.toRefuse.set(invoiceId, code);
  }

  /** Invalidates all access tokens before their expiry. */
  revokeAccessTokens(): void {
    this.accessTokens.clear();
  }

  /** Returns the number printed on the invoice; undefined if it has none. */
  numberOf(invoiceId: string): string | undefined {
    const decision = this.decided.get(invoiceId);
    return typeof decision === 'string' ? decision.slice(-9) : undefined;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    if (request.url === TOKEN_PATH) {
      const reply = this.token(request, body);
      this.tokenAnswers.push(reply.status);
      return answer(response, reply, this.tokenMisbehaviours.shift());
    }
    if (request.url === APPROVAL_PATH) {
      const misbehaviour = this.misbehaviours.shift();
      const reply = statusOf(misbehaviour) ?? this.allocationNumber(request, body);
      this.requests.push({ path: request.url, status: reply.status, body: parsed(body) });
      return answer(response, reply, misbehaviour);
    }
    answer(response, { status: 404, body: { status: 404, message: 'No resources match requested URI' } });
  }

  private token({ headers }: IncomingMessage, body: string): Reply {
    const credentials = Buffer.from(`${this.clientId}:${this.clientSecret}`).toString('base64');
    const asked = new URLSearchParams(body);
    if (headers.authorization !== `Basic ${credentials}`) return fault(401, 'invalid_client');
    if (asked.get('grant_type') !== 'refresh_token') return fault(400, 'unsupported_grant_type');
    if (asked.get('scope') !== 'scope') return fault(400, 'invalid_scope');
    if (asked.get('refresh_token') !== this.refreshToken) return fault(400, 'invalid_grant');
    if (this.rotates) this.refreshToken = secret();
    const accessToken = secret();
    this.accessTokens.add(accessToken);
    const granted = {
      token_type: 'Bearer',
      access_token: accessToken,
      expires_in: this.expiresInSeconds,
      refresh_token: this.refreshToken,
      scope: 'scope',
    };
    return { status: 200, body: granted };
  }

  private allocationNumber({ headers }: IncomingMessage, text: string): Reply {
    const token = headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (!this.accessTokens.has(token)) {
      return { status: 401, body: { status: 401, message: 'Cannot pass the security checks' } };
    }
    const body = parsed(text);
    if (!fitsSchema(body)) {
      return { status: 422, body: { status: 422, message: 'Validate all objects sent according to schema' } };
    }
    return invalidity(body) ?? this.decision(String(body['invoice_id']));
  }

  private decision(invoiceId: string): Reply {
    const earlier = this.decided.get(invoiceId);
    const decision = earlier ?? this.toRefuse.get(invoiceId) ?? confirmationNumber(invoiceId);
    this.decided.set(invoiceId, decision);
    if (typeof decision === 'number') {
      // An invoice that was held at first gets another code when it is requested again.
      const code = earlier === 460 ? 461 : decision;
      const [message, param] = REFUSALS[code] ?? ['Invoice not approved', 'invoice_id'];
      return refusal(200, { code, message, param, location: 'approval' });
    }
    const body = { status: 200, message: 'Invoice approved', confirmation_number: decision, approved: true };
    return { status: 200, body };
  }
}

function answer(response: ServerResponse, { status, body }: Reply, misbehaviour?: Misbehaviour): void {
  if (misbehaviour === 'hang') return;
  if (misbehaviour === 'lost') return void response.destroy();
  if (misbehaviour === 'garbage') {
    return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Out of order</html>');
  }
  const forced = statusOf(misbehaviour);
  response.writeHead(forced?.status ?? status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(forced ? forced.body : body));
}

function statusOf(misbehaviour: Misbehaviour | undefined): Reply | undefined {
  if (typeof misbehaviour !== 'object') return undefined;
  const { status, body = { status, message: null, error_id: 'e-1' } } = misbehaviour;
  return { status, body };
}

const fault = (status: number, error: string): Reply => ({ status, body: { error } });

function refusal(status: number, error: Readonly<Record<string, unknown>>): Reply {
  return {
    status,
    body: { status, message: { errors: [error] }, confirmation_number: '0', approved: false },
  };
}

/** Returns true if the body has only known fields, in lower case and of the right type. */
function fitsSchema(body: Readonly<Record<string, unknown>>): boolean {
  const known = [...NAMES, ...IDENTIFIERS, ...AMOUNTS, 'customer_name', 'user_name', 'user_id'];
  return (
    Object.keys(body).every((name) => known.includes(name)) &&
    NAMES.every((name) => typeof body[name] === 'string' && body[name] !== '') &&
    IDENTIFIERS.every((name) => Number.isInteger(body[name]) && Number(body[name]) > 0) &&
    AMOUNTS.every((name) => typeof body[name] === 'number' && body[name] >= 0)
  );
}

function invalidity(body: Readonly<Record<string, unknown>>): Reply | null {
  const wrong = (code: number, message: string, param: string) =>
    refusal(400, { code, message, param, location: 'request' });
  if (body['user_id'] === undefined && body['user_name'] === undefined) {
    return wrong(446, 'Required one of the two fields: user ID or user name', 'user_id / user_name');
  }
  if (!hasCheckDigit(body['vat_number'])) return wrong(431, 'VAT Number is incorrect', 'vat_number');
  if (!hasCheckDigit(body['customer_vat_number'])) {
    return wrong(432, 'Customer VAT Number is incorrect', 'customer_vat_number');
  }
  return null;
}

/**
 * Checks the digits: multiplied by 1, 2, 1, 2 …, the sum of the digits of the products must be a multiple of
 * 10.
 */
function hasCheckDigit(value: unknown): boolean {
  const digits = [...String(value).padStart(9, '0')].map(Number);
  const sum = digits.reduce((total, digit, at) => {
    const product = digit * ((at % 2) + 1);
    return total + (product > 9 ? product - 9 : product);
  }, 0);
  return digits.length === 9 && sum % 10 === 0;
}

/** As long as a number of the real authority: a time, followed by digits of which the last 9 are printed. */
function confirmationNumber(invoiceId: string): string {
  const digest = createHash('sha256').update(`stand-in ${invoiceId}`).digest();
  return `20260601120000${(digest.readBigUInt64BE() % 1_000_000_000_000n).toString().padStart(12, '0')}`;
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

const secret = (): string => randomBytes(24).toString('base64url');
