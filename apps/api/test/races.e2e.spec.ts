import { startApiService, type TestService } from '@counterfoil/test-harness';
import { type Answer, closeConnections } from './http-exchange';
import { Company, newCompany, read } from './trials/company';

/**
 * Tests that concurrent identical requests to two API processes take effect only once. Related specs:
 * `inventory-races.e2e.spec.ts` (stock), `charge-races.integration.spec.ts` (refund, capture and cancel),
 * `idempotency.e2e.spec.ts` (keys and external ids) and `concurrent-changes.integration.spec.ts` (all changes
 * of a company's documents).
 */

const AT_ONCE = 20;
const TOTAL = 118;
const ITEMS = [{ description: 'Consulting', quantity: 1, unitPrice: 100 }];
const ENDPOINTS_MAX = 50;

let service: TestService;
let urls: string[];
let company: Company;

beforeAll(async () => {
  service = await startApiService({
    LOG_LEVEL: 'error',
    OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32',
  });
  urls = [service.url, (await service.startApiProcess()).url];
  company = await newCompany(service, urls);
});

afterAll(async () => {
  closeConnections();
  await service.stop();
});

const atOnce = (count: number, work: (number: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, number) => work(number)));

const succeeded = (answers: readonly Answer[]): number => answers.filter(({ status }) => status < 300).length;

const refusedWith = (answers: readonly Answer[]): Set<number> =>
  new Set(answers.map(({ status }) => status).filter((status) => status >= 300));

async function issue(type: string, more: object): Promise<number> {
  const answer = await company.post(`/documents/create/${type}`, { entityId: company.entityId, ...more });
  if (answer.status !== 201) throw new Error(answer.text);
  return read<{ id: number }>(answer).id;
}

interface Settled {
  readonly remainingAmount: number;
  readonly coveredAmount: number;
}

const documentOf = async (id: number): Promise<Settled> =>
  read<Settled>(await company.get(`/documents/${id}`));

describe('money', () => {
  it('of one receipt settles no more than its amount', async () => {
    const payments = [{ method: 'CASH', amount: TOTAL }];
    const receiptId = await issue('receipt', { payments });
    const invoices: number[] = [];
    for (let count = 0; count < AT_ONCE; count++) invoices.push(await issue('tax-invoice', { items: ITEMS }));
    const answers = await atOnce(AT_ONCE, (number) =>
      company.post('/documents/allocate', {
        receiptId,
        allocations: [{ documentId: invoices[number], amount: TOTAL }],
      }),
    );
    expect(succeeded(answers)).toBe(1);
    expect([...refusedWith(answers)].every((status) => status === 400 || status === 409)).toBe(true);
    const settled = await Promise.all(invoices.map(documentOf));
    expect(settled.reduce((sum, { coveredAmount }) => sum + coveredAmount, 0)).toBe(TOTAL);
  });

  it('of many receipts settles an invoice only once', async () => {
    const invoice = await issue('tax-invoice', { items: ITEMS });
    const payments = [{ method: 'CASH', amount: TOTAL }];
    const receipts: number[] = [];
    for (let count = 0; count < AT_ONCE; count++) receipts.push(await issue('receipt', { payments }));
    const answers = await atOnce(AT_ONCE, (number) =>
      company.post('/documents/allocate', {
        receiptId: receipts[number],
        allocations: [{ documentId: invoice, amount: TOTAL }],
      }),
    );
    expect(succeeded(answers)).toBe(1);
    expect(await documentOf(invoice)).toMatchObject({ remainingAmount: 0, coveredAmount: TOTAL });
  });

  it('that was invoiced is credited only once', async () => {
    const refundOf = await issue('tax-invoice', { items: ITEMS });
    const asked = { entityId: company.entityId, items: ITEMS, refundOf };
    const answers = await atOnce(AT_ONCE, () => company.post('/documents/create/refund', asked));
    expect(succeeded(answers)).toBe(1);
    expect([...refusedWith(answers)].every((status) => status === 400 || status === 409)).toBe(true);
  });
});

describe('webhook endpoints', () => {
  it("never exceed a company's limit", async () => {
    const hook = { url: 'https://127.0.0.1:9/hook', events: ['charge.failed'] };
    const answers = await atOnce(ENDPOINTS_MAX + 1, () => company.post('/webhooks', hook));
    expect(succeeded(answers)).toBe(ENDPOINTS_MAX);
    const { data } = read<{ data: object[] }>(await company.get('/webhooks?limit=200'));
    expect(data).toHaveLength(ENDPOINTS_MAX);
  });
});

describe('a key that is revoked during its use', () => {
  it('is refused for all later requests, in every process', async () => {
    const made = await company.post('/api-keys', { role: 'editor', userName: 'Leaves' });
    const { id, key } = read<{ id: number; key: string }>(made);
    const leaver = new Company(urls, key, company.entityId);
    let revokedAt = Infinity;
    let isOver = false;
    const late: Answer[] = [];
    let before = 0;
    const use = async (): Promise<void> => {
      while (!isOver) {
        const begun = performance.now();
        const answer = await leaver.post('/contacts/create', { firstName: 'Late' });
        if (begun > revokedAt) late.push(answer);
        else before += 1;
      }
    };
    const users = Array.from({ length: 8 }, use);
    while (before < 20) await company.get('/company');
    const revoked = await company.send('DELETE', `/api-keys/${id}`);
    revokedAt = performance.now();
    expect(revoked.status).toBe(200);
    while (late.length < 40) await company.get('/company');
    isOver = true;
    await Promise.all(users);
    expect(late.map(({ status }) => status)).toEqual(late.map(() => 401));
  });
});
