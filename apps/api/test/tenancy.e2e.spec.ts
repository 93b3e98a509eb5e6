import { DEMO_KEY, median, startApiService, type TestService } from '@counterfoil/test-harness';
import { type Company, furnish, sendAs } from './furnished-company';
import { type Answer, closeConnections } from './http-exchange';
import { type Description, type TenancyCase, tenancyCases } from './tenancy-cases';
import { UNKNOWN_ID, UNKNOWN_UUID } from './wire-values';

/**
 * Tests every position of an id in every route of `/openapi.json`. New routes are included automatically. A
 * route with unknown ids fails.
 */

/** These return 200 with `null` or an empty list for an unknown id (contract §1.2, §3.3). */
const NOTHING = new Set(['GET /vendors/id/{visibleId}, visibleId', 'GET /expenses/id/{id}, id']);
/** Codes for an unknown id in a body. A pricelist has a code of its own (contract §3.4). */
const REFUSALS = new Set(['UNKNOWN_REFERENCE', 'INVALID_PRICELIST']);
/** Cases in which response times are compared too. */
const TIMED =
  /^GET \/(documents|files|products|expenses|gateway\/charges|webhooks)\/[^?]*, (id|visibleId|fileId)$/;
const TIMED_PAIRS = 25;
/** Maximum ratio of the medians: far above noise, and far below the effect of an additional look-up. */
const RATIO_MAX = 2;
const MEASURED_MAX = 3;

let service: TestService;
let ours: Company;
let theirs: Company;
let unknown: Company;
let cases: TenancyCase[];

beforeAll(async () => {
  service = await startApiService({
    LOG_LEVEL: 'error',
    OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32',
  });
  const { ownerKey } = await service.createCompany('Another');
  ours = await furnish(service.url, DEMO_KEY);
  theirs = await furnish(service.url, ownerKey);
  unknown = unknownOf(theirs);
  const answered = await sendAs({ url: service.url, ownerKey: DEMO_KEY }, 'GET', '/openapi.json');
  cases = tenancyCases(JSON.parse(answered.text) as Description);
});

afterAll(async () => {
  closeConnections();
  await service.stop();
});

/** Returns ids of the same form that do not exist. */
function unknownOf(company: Company): Company {
  const replaced = (value: unknown): unknown => {
    if (typeof value === 'number') return UNKNOWN_ID;
    if (typeof value !== 'object' || value === null) return UNKNOWN_UUID;
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, replaced(child)]));
  };
  return { ...(replaced(company) as Company), endpointId: 'we_000000000000000000000000' };
}

const ask = ({ method, requestFor }: TenancyCase, whose: Company): Promise<Answer> => {
  const { path, body } = requestFor(ours, whose);
  return sendAs({ url: service.url, ownerKey: ours.ownerKey }, method, path, body);
};

/**
 * Returns all parts of an answer that a caller sees, including headers, without the request id and the sent
 * id.
 */
function visible({ status, headers, text }: Answer, sent: string | number): unknown {
  const { date: _, 'x-request-id': __, 'content-length': ___, ...shown } = headers;
  const said = text.replace(/"requestId":"[^"]*"/, '').replace(new RegExp(`\\b${sent}\\b`, 'g'), '…');
  return { status, headers: shown, said };
}

/** True if this is the expected answer for an id that does not exist. */
function tellsNothing(one: TenancyCase, answer: Answer): boolean {
  const body = JSON.parse(answer.text) as { code?: string; data?: unknown[] } | null;
  if (answer.status === 200) return one.place === 'query' ? body?.data?.length === 0 : isNull(one, body);
  if (one.place === 'body') return isRefused(one, answer, body?.code);
  return answer.status === 404 && body?.code === 'NOT_FOUND';
}

const isNull = ({ name }: TenancyCase, body: unknown): boolean => NOTHING.has(name) && body === null;

const isRefused = ({ field }: TenancyCase, { status, text }: Answer, code = ''): boolean =>
  status === 400 && REFUSALS.has(code) && text.includes(`"${field}"`);

it('finds the positions of ids', () => {
  const count = (place: TenancyCase['place']) => cases.filter((one) => one.place === place).length;
  expect({ path: count('path') >= 60, query: count('query') >= 10, body: count('body') >= 40 }).toEqual({
    path: true,
    query: true,
    body: true,
  });
});

it('answers an id of another company like an unknown one, at every position of every route', async () => {
  const told: unknown[] = [];
  for (const one of cases) {
    const [ofTheirs, ofNothing] = [await ask(one, theirs), await ask(one, unknown)];
    expect({ name: one.name, answer: visible(ofTheirs, one.idOf(theirs)) }).toEqual({
      name: one.name,
      answer: visible(ofNothing, one.idOf(unknown)),
    });
    const { status, text } = ofTheirs;
    if (!tellsNothing(one, ofTheirs))
      told.push({ name: one.name, status, text, ...one.requestFor(ours, theirs) });
  }
  expect(told).toEqual([]);
});

it('takes the same time for both', async () => {
  const timed = cases.filter(({ name }) => TIMED.test(name));
  expect(timed.length).toBeGreaterThan(8);
  for (const one of timed) {
    const ratios = [await timeRatio(one)];
    // A busy machine may slow down either; a difference that tells them apart is there each time.
    while (isTold(ratios) && ratios.length < MEASURED_MAX) ratios.push(await timeRatio(one));
    expect({ name: one.name, ratios, isTold: isTold(ratios) }).toMatchObject({ isTold: false });
  }
});

const isTold = (ratios: readonly number[]): boolean =>
  ratios.every((ratio) => ratio > RATIO_MAX) || ratios.every((ratio) => ratio < 1 / RATIO_MAX);

/** The time for the id of another company, divided by the time for an unknown id. */
async function timeRatio(one: (typeof cases)[number]): Promise<number> {
  const took: Record<'theirs' | 'unknown', number[]> = { theirs: [], unknown: [] };
  for (let pair = 0; pair < TIMED_PAIRS; pair++) {
    const order = pair % 2 === 0 ? (['theirs', 'unknown'] as const) : (['unknown', 'theirs'] as const);
    for (const which of order) {
      const started = performance.now();
      await ask(one, which === 'theirs' ? theirs : unknown);
      took[which].push(performance.now() - started);
    }
  }
  return median(took.theirs) / median(took.unknown);
}

it('has not changed the other company', async () => {
  const owner = { url: service.url, ownerKey: theirs.ownerKey };
  const read = async <T>(path: string) => JSON.parse((await sendAs(owner, 'GET', path)).text) as T;
  expect(await read(`/documents/${theirs.document.id}`)).toMatchObject({ status: 'OPEN', cancelled: false });
  const stock = await read<{ data: object[] }>('/inventory');
  expect(stock.data).toMatchObject([{ id: theirs.inventoryId, quantity: 5, reservedQuantity: 0 }]);
  expect(await read(`/gateway/charges/${theirs.chargeId}`)).toMatchObject({ status: 'AUTHORIZED' });
  expect(await read(`/expenses/id/${theirs.expenseId}`)).toMatchObject({ expense: { title: 'Theirs' } });
  for (const [list, id] of [
    ['/files', theirs.fileId],
    ['/retainers', theirs.retainerId],
    ['/gateway/tokens', theirs.tokenId],
    ['/webhooks', theirs.endpointId],
  ] as const) {
    expect(await read(list)).toMatchObject({ data: [{ id }] });
  }
});
