import { insideTransaction } from '@counterfoil/kernel';
import {
  NodeOutboundHttp,
  OutboundHttp,
  type OutboundRequest,
  type OutboundResponse,
} from '@counterfoil/outbound-http';
import { generate } from 'selfsigned';
import {
  type InvoiceForAllocationNumber,
  TaxAuthorityUnavailable,
} from '../../application/ports/tax-authority';
import { AuthorityStandIn, COMPANY_TAX_ID, CUSTOMER_TAX_ID } from '../../testing/authority-stand-in';
import { MemoryRefreshTokens } from '../../testing/memory-refresh-tokens';
import { anInvoice, describeTaxAuthority } from '../../testing/tax-authority.contract';
import { IsraelTaxAuthority } from './israel-tax-authority';
import { RefreshTokens } from './refresh-tokens';

let standIn: AuthorityStandIn;
let http: OutboundHttp;

beforeEach(async () => {
  standIn = await AuthorityStandIn.start();
  http = givenHttp();
});

afterEach(async () => {
  await http.close();
  await standIn.close();
});

/** The service's HTTP client, allowed to reach only the fake authority. */
function givenHttp(ca?: string): OutboundHttp {
  return new NodeOutboundHttp({
    allowedNetworks: [{ cidr: '127.0.0.1/32', port: standIn.port }],
    connectionsPerOriginMax: 8,
    ...(ca === undefined ? {} : { ca }),
  });
}

/** Shortens all time limits for the tests. */
class HastyHttp extends OutboundHttp {
  override send(request: OutboundRequest): Promise<OutboundResponse> {
    return http.send({ ...request, timeoutMs: Math.min(request.timeoutMs, 200) });
  }

  override assertAllowed = (url: string): Promise<void> => http.assertAllowed(url);
  override close = (): Promise<void> => http.close();
}

function givenAuthority(refreshTokens: RefreshTokens = new MemoryRefreshTokens(standIn.refreshToken)) {
  return new IsraelTaxAuthority(http, standIn.config, refreshTokens);
}

const ask = (overrides: Partial<InvoiceForAllocationNumber> = {}) =>
  givenAuthority().request(anInvoice(overrides));

async function failureOf(asking: Promise<unknown>): Promise<TaxAuthorityUnavailable> {
  const error: unknown = await asking.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof TaxAuthorityUnavailable) return error;
  throw new Error('it should have been unavailable', { cause: error });
}

describeTaxAuthority('the authority of Israel', () => givenAuthority());

describe('a request to the authority of Israel', () => {
  it('has the invoice, field by field', async () => {
    await ask({ documentVisibleId: 'b7c1', customerTaxId: ' 19999999-6 ', companyTaxId: COMPANY_TAX_ID });
    expect(standIn.requests.map(({ body }) => body)).toEqual([
      {
        invoice_id: 'b7c1',
        invoice_type: 305,
        vat_number: 777777715,
        user_name: 'counterfoil',
        invoice_reference_number: '17',
        customer_vat_number: Number(CUSTOMER_TAX_ID),
        customer_name: 'Customer Ltd',
        invoice_date: '2026-11-21',
        invoice_issuance_date: '2026-11-23',
        accounting_software_number: 777777715,
        amount_before_discount: 10000.5,
        discount: 0,
        payment_amount: 10000.5,
        vat_amount: 1800.09,
        payment_amount_including_vat: 11800.59,
      },
    ]);
  });

  it('has the number of the type, and the registered number of the software', async () => {
    const config = { ...standIn.config, softwareNumber: '12345678' };
    const authority = new IsraelTaxAuthority(http, config, new MemoryRefreshTokens(config.refreshToken));
    await authority.request(anInvoice({ type: 'TAX_INVOICE_RECEIPT' }));
    expect(standIn.requests[0]?.body).toMatchObject({
      invoice_type: 320,
      accounting_software_number: 12345678,
    });
  });

  it('has a truncated name without a partial character', async () => {
    await ask({ customerName: '𐤀'.repeat(60) });
    expect(standIn.requests[0]?.body['customer_name']).toBe('𐤀'.repeat(50));
  });

  it('uses HTTPS and checks the certificate', async () => {
    await Promise.all([http.close(), standIn.close()]);
    const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
      keyType: 'ec',
      algorithm: 'sha256',
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
      ],
    });
    standIn = await AuthorityStandIn.start({ cert, key });
    http = givenHttp();
    expect((await failureOf(ask())).message).toContain('secure connection');
    await http.close();
    http = givenHttp(cert);
    expect((await ask()).kind).toBe('assigned');
  });

  it.each([
    [{ companyTaxId: null }, 'company'],
    [{ companyTaxId: 'IL-514' }, 'company'],
    [{ companyTaxId: '000000000' }, 'company'],
    [{ customerTaxId: '1234567890' }, 'customer'],
    [{ customerTaxId: '' }, 'customer'],
    [{ currency: 'USD' }, 'ILS'],
    [{ type: 'REFUND' as const }, 'REFUND'],
  ])('is not sent for an invoice that cannot be represented: %j', async (overrides, named) => {
    expect(await ask(overrides)).toEqual({ kind: 'refused', reason: expect.stringContaining(named) });
    expect(standIn.tokenAnswers).toEqual([]);
    expect(standIn.requests).toEqual([]);
  });
});

describe('an answer of the authority of Israel', () => {
  it('has a long number, of which the last 9 digits are kept', async () => {
    const confirmation_number = '20240627231846297078091822';
    standIn.misbehave({ status: 200, body: { status: 200, approved: true, confirmation_number } });
    expect(await ask()).toEqual({ kind: 'assigned', allocationNumber: '078091822' });
  });

  it.each([460, 461, 462])('may be a refusal with its reason: %d', async (code) => {
    const invoice = anInvoice();
    standIn.refuse(invoice.documentVisibleId, code);
    expect(await givenAuthority().request(invoice)).toEqual({
      kind: 'refused',
      reason: expect.stringMatching(new RegExp(`^${code} .+ \\(\\w+\\)$`)),
    });
  });

  it('may be a refusal because of an error in the invoice, whoever detects it', async () => {
    expect(await ask({ customerTaxId: '123456789' })).toEqual({
      kind: 'refused',
      reason: '432 Customer VAT Number is incorrect (customer_vat_number)',
    });
    standIn.misbehave({ status: 422, body: { httpCode: '422', moreInformation: 'Validate: too\nlong' } });
    expect(await ask()).toEqual({ kind: 'refused', reason: 'Validate: too long' });
  });

  it('is truncated, without control characters and secrets', async () => {
    const { clientSecret, refreshToken } = standIn;
    const message = `${clientSecret}\0${refreshToken}\n${'x'.repeat(10_000)}`;
    standIn.misbehave({ status: 400, body: { status: 400, message: { errors: [{ code: 499, message }] } } });
    const answer = await ask();
    expect(answer).toEqual({ kind: 'refused', reason: expect.stringMatching(/^499 … … x+$/) });
    expect(answer.kind === 'refused' && answer.reason.length).toBe(500);
  });

  it.each([
    ['500', { status: 500 }],
    ['503', { status: 503 }],
    ['429', { status: 429 }],
    ['403, the consent does not reach so far', { status: 403 }],
    ['404', { status: 404 }],
    ['406', { status: 406, body: { status: 406, message: 'Server cannot fulfill request' } }],
    ['a redirect', { status: 302 }],
    ['a page', 'garbage'],
    ['a broken connection', 'lost'],
    ['400 without a word', { status: 400, body: {} }],
    ['400 with an empty list', { status: 400, body: { message: { errors: [] } } }],
    ['200 without a decision', { status: 200, body: { status: 200, message: 'Invoice approved' } }],
    ['approved without a number', { status: 200, body: { approved: true, confirmation_number: null } }],
    ['approved with the number 0', { status: 200, body: { approved: true, confirmation_number: '0' } }],
    ['approved with zeros', { status: 200, body: { approved: true, confirmation_number: '000000000' } }],
    ['approved with words', { status: 200, body: { approved: true, confirmation_number: 'soon' } }],
    ['a list', { status: 200, body: [] }],
    ['null', { status: 200, body: null }],
    ['too much', { status: 400, body: { message: 'x'.repeat(70_000) } }],
  ] as const)('may be no decision, so that the request is repeated: %s', async (_, misbehaviour) => {
    const authority = givenAuthority();
    const invoice = anInvoice();
    standIn.misbehave(misbehaviour);
    await failureOf(authority.request(invoice));
    expect(await authority.request({ ...invoice, attempt: 2 })).toEqual({
      kind: 'assigned',
      allocationNumber: standIn.numberOf(invoice.documentVisibleId),
    });
  });

  it('may get lost, and is the same for a repeated request', async () => {
    const authority = givenAuthority();
    const invoice = anInvoice();
    standIn.misbehave('lost');
    await failureOf(authority.request(invoice));
    const given = standIn.numberOf(invoice.documentVisibleId);
    expect(given).toMatch(/^\d{9}$/);
    expect(await authority.request(invoice)).toEqual({ kind: 'assigned', allocationNumber: given });
  });

  it('may take too long', async () => {
    const tokens = new MemoryRefreshTokens(standIn.refreshToken);
    const authority = new IsraelTaxAuthority(new HastyHttp(), standIn.config, tokens);
    standIn.misbehave('hang');
    expect((await failureOf(authority.request(anInvoice()))).message).toContain('no complete answer in time');
  });

  it('is not awaited inside a transaction', async () => {
    await expect(insideTransaction(() => ask())).rejects.toThrow('inside a database transaction');
  });
});

describe('access to the authority of Israel', () => {
  it('is requested once and used until it expires', async () => {
    const authority = givenAuthority();
    await authority.request(anInvoice());
    await authority.request(anInvoice());
    expect(standIn.tokenAnswers).toEqual([200]);
  });

  it('is requested again shortly before it expires', async () => {
    standIn.expiresInSeconds = 30;
    const authority = givenAuthority();
    await authority.request(anInvoice());
    await authority.request(anInvoice());
    expect(standIn.tokenAnswers).toEqual([200, 200]);
    expect(standIn.requests.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('is requested again, once, when the authority rejects it', async () => {
    const authority = givenAuthority();
    await authority.request(anInvoice());
    standIn.revokeAccessTokens();
    expect((await authority.request(anInvoice())).kind).toBe('assigned');
    expect(standIn.tokenAnswers).toEqual([200, 200]);
  });

  it('fails after a second rejection', async () => {
    standIn.misbehave({ status: 401 }, { status: 401 });
    await failureOf(ask());
    expect(standIn.tokenAnswers).toEqual([200, 200]);
    expect(standIn.requests).toHaveLength(2);
  });

  it('is requested once for concurrent callers, even if the refresh token is replaced at each use', async () => {
    standIn.rotates = true;
    const authority = givenAuthority();
    const answers = await Promise.all([1, 2, 3, 4].map(() => authority.request(anInvoice())));
    expect(answers.map(({ kind }) => kind)).toEqual(Array(4).fill('assigned'));
    expect(standIn.tokenAnswers).toEqual([200]);
  });

  it('continues with the latest refresh token of the authority', async () => {
    standIn.rotates = true;
    const authority = givenAuthority();
    for (let ask = 1; ask <= 3; ask += 1) {
      standIn.revokeAccessTokens();
      expect((await authority.request(anInvoice())).kind).toBe('assigned');
    }
    expect(standIn.tokenAnswers).toEqual([200, 200, 200]);
  });

  it('uses a refresh token that another worker has received meanwhile', async () => {
    standIn.rotates = true;
    const kept = new MemoryRefreshTokens(standIn.refreshToken);
    const behind = new (class extends RefreshTokens {
      private asked = 0;
      private readonly stale = standIn.refreshToken;
      override current = async () => ((this.asked += 1) === 1 ? this.stale : kept.current());
      override replace = (previous: string, next: string) => kept.replace(previous, next);
    })();
    await givenAuthority(kept).request(anInvoice());
    expect((await givenAuthority(behind).request(anInvoice())).kind).toBe('assigned');
    expect(standIn.tokenAnswers).toEqual([200, 400, 200]);
    expect(await kept.current()).toBe(standIn.refreshToken);
  });

  it('is refused without consent, and no invoice is sent', async () => {
    const failure = await failureOf(givenAuthority(new MemoryRefreshTokens('ended')).request(anInvoice()));
    expect(failure.message).toBe('the tax authority gave no access token (400, invalid_grant)');
    expect(standIn.requests).toEqual([]);
  });

  it.each([
    ['500', { status: 500 }],
    ['a page', 'garbage'],
    ['a broken connection', 'lost'],
    ['no token', { status: 200, body: { token_type: 'Bearer' } }],
    ['a token that is no header', { status: 200, body: { access_token: 'a\r\nhost: b' } }],
  ] as const)('may fail, and is requested again: %s', async (_, misbehaviour) => {
    const authority = givenAuthority();
    standIn.misbehaveAtToken(misbehaviour);
    await failureOf(authority.request(anInvoice()));
    expect((await authority.request(anInvoice())).kind).toBe('assigned');
  });

  it('reveals no secret in its errors', async () => {
    const { clientSecret, refreshToken } = standIn;
    const echo = { error: clientSecret, error_description: refreshToken };
    standIn.misbehaveAtToken({ status: 400, body: echo }, 'garbage', 'lost');
    const authority = givenAuthority();
    for (let ask = 1; ask <= 3; ask += 1) {
      const failure = await failureOf(authority.request(anInvoice()));
      const told = `${String(failure.stack)} ${JSON.stringify(failure)} ${String(failure.cause)}`;
      expect(told).toContain('the tax authority');
      for (const secret of [clientSecret, refreshToken, btoa(clientSecret)])
        expect(told).not.toContain(secret);
    }
  });
});
