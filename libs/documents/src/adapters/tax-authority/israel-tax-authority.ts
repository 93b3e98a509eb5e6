import type { IsraelAuthorityConfig } from '@counterfoil/config';
import type { OutboundHttp } from '@counterfoil/outbound-http';
import {
  type AllocationNumberAnswer,
  type InvoiceForAllocationNumber,
  TaxAuthority,
  TaxAuthorityUnavailable,
} from '../../application/ports/tax-authority';
import { type AccessToken, AccessTokens } from './access-tokens';
import {
  type AuthorityRequest,
  allocationNumberAnswer,
  authorityRequest,
} from './allocation-number-messages';
import { type AuthorityAnswer, callAuthority } from './authority-http';
import type { RefreshTokens } from './refresh-tokens';

/** Time limit for one request with all its calls. It is much shorter than the lock of the job. */
const ASK_MAX_MS = 30_000;
const APPROVAL_PATH = '/Invoices/v2/Approval';

/**
 * Israel's tax authority, through its published approval API. The document's public id is the `invoice_id`,
 * by which the authority recognises a repeated request.
 */
export class IsraelTaxAuthority extends TaxAuthority {
  private readonly accessTokens: AccessTokens;

  constructor(
    private readonly http: OutboundHttp,
    private readonly config: IsraelAuthorityConfig,
    refreshTokens: RefreshTokens,
  ) {
    super();
    this.accessTokens = new AccessTokens(http, config, refreshTokens);
  }

  override async request(invoice: InvoiceForAllocationNumber): Promise<AllocationNumberAnswer> {
    const request = authorityRequest(invoice, this.config.softwareNumber);
    if ('reason' in request) return { kind: 'refused', reason: request.reason };
    const deadline = performance.now() + ASK_MAX_MS;
    const token = await this.accessTokens.get(deadline);
    const first = await this.ask(request, token, deadline);
    if (first.status !== 401) return this.read(first, token);
    this.accessTokens.discard(token);
    const renewed = await this.accessTokens.get(deadline);
    const second = await this.ask(request, renewed, deadline);
    if (second.status === 401)
      throw new TaxAuthorityUnavailable('the tax authority rejects new access tokens');
    return this.read(second, renewed);
  }

  private ask(request: AuthorityRequest, { value }: AccessToken, deadline: number): Promise<AuthorityAnswer> {
    return callAuthority(this.http, {
      url: `${this.config.url}${APPROVAL_PATH}`,
      headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
      body: JSON.stringify(request),
      deadline,
    });
  }

  private read(answer: AuthorityAnswer, { value, refreshToken }: AccessToken): AllocationNumberAnswer {
    return allocationNumberAnswer(answer, [value, refreshToken, this.config.clientSecret]);
  }
}
