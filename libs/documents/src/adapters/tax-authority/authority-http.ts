import { OutboundError, type OutboundHttp, type OutboundResponse } from '@counterfoil/outbound-http';
import { TaxAuthorityUnavailable } from '../../application/ports/tax-authority';

const ANSWER_MAX_BYTES = 64 * 1024;
const CALL_MAX_MS = 15_000;

export interface AuthorityCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** By `performance.now()`. All calls of one request must end before it. */
  readonly deadline: number;
}

export interface AuthorityAnswer {
  readonly status: number;
  /** Undefined if the body is not JSON. */
  readonly json: unknown;
}

/**
 * Sends one POST to the authority and reads the whole response.
 *
 * @throws TaxAuthorityUnavailable without a response in time; the message has no headers or bodies
 */
export async function callAuthority(http: OutboundHttp, call: AuthorityCall): Promise<AuthorityAnswer> {
  const { url, headers, body, deadline } = call;
  const timeoutMs = Math.min(CALL_MAX_MS, Math.floor(deadline - performance.now()));
  if (timeoutMs <= 0) throw new TaxAuthorityUnavailable('the tax authority took too long');
  try {
    const answer = await http.send({
      method: 'POST',
      url,
      headers: { accept: 'application/json', ...headers },
      body,
      timeoutMs,
      bodyMaxBytes: ANSWER_MAX_BYTES,
      acknowledgeOn: 'body',
    });
    return { status: answer.status, json: jsonOf(answer) };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new TaxAuthorityUnavailable(`the tax authority cannot be reached: ${error.message}`, {
      cause: error,
    });
  }
}

function jsonOf({ body }: OutboundResponse): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the fields of a JSON object, or no fields for anything else. */
export function fieldsOf(json: unknown): Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
    ? (json as Record<string, unknown>)
    : {};
}
