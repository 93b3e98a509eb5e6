import type { IsraelAuthorityConfig } from '@counterfoil/config';
import type { OutboundHttp } from '@counterfoil/outbound-http';
import { TaxAuthorityUnavailable } from '../../application/ports/tax-authority';
import { type AuthorityAnswer, callAuthority, fieldsOf } from './authority-http';
import type { RefreshTokens } from './refresh-tokens';

/** An access token is not used during this time before it expires. */
const EXPIRY_MARGIN_MS = 30_000;
/**
 * Used if the response does not state a lifetime. It is short; a token that expired earlier only costs a 401.
 */
const LIFETIME_DEFAULT_S = 300;

export interface AccessToken {
  readonly value: string;
  /** The refresh token that was used to get it. */
  readonly refreshToken: string;
  /** By `performance.now()`. */
  readonly usableUntil: number;
}

/** Gets access tokens with OAuth2's refresh-token grant (RFC 6749 §6), and reuses each until it expires. */
export class AccessTokens {
  private latest: AccessToken | null = null;
  private renewing: Promise<AccessToken> | null = null;

  constructor(
    private readonly http: OutboundHttp,
    private readonly config: IsraelAuthorityConfig,
    private readonly refreshTokens: RefreshTokens,
  ) {}

  /** @throws TaxAuthorityUnavailable */
  async get(deadline: number): Promise<AccessToken> {
    if (this.latest && performance.now() < this.latest.usableUntil) return this.latest;
    // Concurrent callers share one request, because a refresh token that is replaced at each use must not be
    // used twice at once.
    this.renewing ??= this.renew(deadline).finally(() => {
      this.renewing = null;
    });
    this.latest = await this.renewing;
    return this.latest;
  }

  /** Drops a token that the authority has rejected, unless it has been replaced already. */
  discard(token: AccessToken): void {
    if (this.latest?.value === token.value) this.latest = null;
  }

  private async renew(deadline: number): Promise<AccessToken> {
    const used = await this.refreshTokens.current();
    const answer = await this.exchange(used, deadline);
    if (answer.status === 200) return this.accept(used, answer);
    // Another worker may have used the token meanwhile, and stored its successor.
    const successor = await this.refreshTokens.current();
    if (successor === used) throw refusedToken(answer);
    const second = await this.exchange(successor, deadline);
    if (second.status !== 200) throw refusedToken(second);
    return this.accept(successor, second);
  }

  private exchange(refreshToken: string, deadline: number): Promise<AuthorityAnswer> {
    const { tokenUrl, clientId, clientSecret } = this.config;
    const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    return callAuthority(this.http, {
      url: tokenUrl,
      headers: {
        authorization: `Basic ${credentials}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      // The authority has a single scope, with the name `scope`.
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        scope: 'scope',
      }).toString(),
      deadline,
    });
  }

  private async accept(used: string, { json }: AuthorityAnswer): Promise<AccessToken> {
    const answer = fieldsOf(json);
    const { access_token: value, refresh_token: given } = answer;
    const next = typeof given === 'string' && given !== '' ? given : used;
    if (next !== used) await this.refreshTokens.replace(used, next);
    if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) {
      throw new TaxAuthorityUnavailable('the tax authority answered without an access token');
    }
    const seconds = Number(answer['expires_in'] ?? LIFETIME_DEFAULT_S);
    const lifetimeMs = (Number.isFinite(seconds) ? seconds : LIFETIME_DEFAULT_S) * 1000;
    return { value, refreshToken: next, usableUntil: performance.now() + lifetimeMs - EXPIRY_MARGIN_MS };
  }
}

/** The message has the OAuth2 error code and no other part of the response. */
function refusedToken({ status, json }: AuthorityAnswer): TaxAuthorityUnavailable {
  const { error } = fieldsOf(json);
  const code = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? `, ${error}` : '';
  return new TaxAuthorityUnavailable(`the tax authority gave no access token (${status}${code})`);
}
