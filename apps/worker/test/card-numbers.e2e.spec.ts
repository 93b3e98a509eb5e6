import fs from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import {
  DEMO_KEY,
  queueStores,
  startService,
  type TestService,
  textOfStore,
  until,
} from '@counterfoil/test-harness';

const NUMBERS = [
  ...['4242424242424242', '4000000000000002', '5555555555554444', '5105105105105100'],
  ...['378282246310005', '4012888888881881', '6011111111111117'],
];
const grouped = (digits: string, separator: string) => digits.replace(/(\d{4})(?=\d)/g, `$1${separator}`);
const WAYS: readonly ((digits: string) => string)[] = [
  (digits) => digits,
  ...[' ', '-', '/', ':', '\n', '.'].map((separator) => (digits: string) => grouped(digits, separator)),
  (digits) => [...digits].join(' '),
];
const WAYS_OF_EACH = 2;
/**
 * Combines each number with some spellings and each spelling with some numbers. All combinations would take
 * too long.
 */
const SPELLINGS = NUMBERS.flatMap((digits, index) =>
  Array.from({ length: WAYS_OF_EACH }, (_, next) =>
    WAYS[(WAYS_OF_EACH * index + next) % WAYS.length]!(digits),
  ),
);
/** Separators between digits: plain, URL-encoded (once or twice), or as escapes in JSON. */
const BETWEEN = String.raw`(?:[ .:_+/\n\t-]|\\[nt]|%(?:25)?(?:2[0def]|3a|0[9a]))?`;
const FOUND = new RegExp(NUMBERS.map((digits) => [...digits].join(BETWEEN)).join('|'), 'i');
const HEX = new RegExp(NUMBERS.map((digits) => Buffer.from(digits).toString('hex')).join('|'), 'i');
const AT_ONCE = 16;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
interface Made {
  readonly tokenId: number;
  readonly chargeId: number;
  readonly authorizedId: number;
  readonly pageKey: string;
}

/** Returns a valid call for each body of the gateway. */
function callsOf({ tokenId, chargeId, authorizedId, pageKey }: Made) {
  const money = { amount: 10, currency: 'ILS' };
  const schedule = { interval: 'MONTHLY', nextRunDate: '2030-01-31' };
  return [
    ['/gateway/tokens', { provider: 'sandbox', providerToken: 'tok_approved', entityId: null }],
    ['/gateway/charges', { tokenId, ...money, entityId: null, documentId: null, capture: true }],
    [`/gateway/charges/${chargeId}/refund`, { amount: 0.01, reason: 'Returned' }],
    [`/gateway/charges/${authorizedId}/capture`, { amount: 1 }],
    [`/gateway/charges/${authorizedId}/cancel`, {}],
    ['/gateway/payments/payment-pages', { ...money, description: 'Work', entityId: null }],
    ['/gateway/recurring-payments', { tokenId, ...money, ...schedule, entityId: null }],
    [`/gateway/sandbox/pages/${pageKey}/pay`, { providerToken: 'tok_approved' }],
  ] as const;
}

/** Returns calls with the number in every field in which a caller could put it by mistake. */
function inBodies(calls: ReturnType<typeof callsOf>, number: string): Sent[] {
  const digits = number.replace(/\D/g, '');
  return calls.flatMap(([at, body]) => {
    const fields = Object.keys(body);
    const texts = [
      ...fields.flatMap((field) =>
        [number, `card ${number}!`, { nested: number }, [number]].map((value) =>
          JSON.stringify({ ...body, [field]: value }),
        ),
      ),
      ...fields.map((field) => JSON.stringify({ ...body, [field]: 0 }).replace(/:0([,}])/, `:${digits}$1`)),
      JSON.stringify({ ...body, cardNumber: number, card: { number, cvc: '123' } }),
      JSON.stringify({ ...body, [number]: 1 }),
      ...[JSON.stringify(number), digits, `[${JSON.stringify(number)}]`, `${JSON.stringify(body)}${number}`],
      ...[`{"providerToken": "${number}`, `{"reason": "${number}", }`, `{"${number}": `, number],
    ];
    return texts.map((text) => ({ method: 'POST', path: at, body: text }));
  });
}

function inHeaders(calls: ReturnType<typeof callsOf>, number: string): Sent[] {
  const names = [
    ...['idempotency-key', 'x-request-id', 'user-agent', 'authorization', 'cookie', 'referer', 'origin'],
    ...[
      'accept',
      'accept-language',
      'x-forwarded-for',
      'traceparent',
      'x-card-number',
      'x-api-key',
      'if-match',
    ],
  ];
  return calls.flatMap(([at, body]) =>
    [
      ...names.map((name) => ({ name, value: number })),
      { name: 'authorization', value: `Bearer ${number}` },
      { name: 'idempotency-key', value: `retry-${number}-1` },
      { name: 'x-request-id', value: `id-${number}` },
      { name: 'content-type', value: `application/json; name=${number.replace(/\D/g, '-')}` },
      { name: 'content-type', value: `text/${number.replace(/\D/g, '-')}` },
    ].map(({ name, value }) => ({
      method: 'POST',
      path: at,
      // A header cannot contain line breaks.
      headers: { [name]: value.replaceAll('\n', '\t') },
      body: JSON.stringify(body),
    })),
  );
}

function inUrls(calls: ReturnType<typeof callsOf>, number: string): Sent[] {
  const text = encodeURIComponent(number);
  const gets = ['', '/capture', '/cancel', '/refund'].map((end) => `/gateway/charges/${text}${end}`);
  const paths = [
    ...gets,
    ...['tokens', 'recurring-payments', 'providers', 'payments/payment-pages', 'sandbox/pages'].map(
      (name) => `/gateway/${name}/${text}`,
    ),
    ...[
      `/gateway/sandbox/pages/${text}/pay`,
      `/gateway/${text}`,
      `/gateway/charges/${text}%E0%A4`,
      `/gateway/${text}/charges`,
      // Encoded twice, with only the necessary characters encoded.
      `/gateway/charges/${encodeURIComponent(text)}`,
      `/gateway/${encodeURI(number)}`,
    ],
  ];
  const lists = ['tokens', 'charges', 'recurring-payments', 'providers', 'payments/payment-pages'];
  const parameters = [
    ...['status', 'tokenId', 'entityId', 'documentId', 'limit', 'offset', 'page', 'pageSize', 'number'],
    ...[text, 'status[]', 'a%20b'],
  ];
  return [
    ...paths.flatMap((at) =>
      ['GET', 'POST', 'DELETE', 'PUT'].map((method) => ({
        method,
        path: at,
        ...(method === 'GET' ? {} : { body: '{}' }),
      })),
    ),
    ...lists.flatMap((name) =>
      parameters.map((parameter) => ({ method: 'GET', path: `/gateway/${name}?${parameter}=${text}` })),
    ),
    ...calls.map(([at, body]) => ({
      method: 'POST',
      path: `${at}?card=${text}`,
      body: JSON.stringify(body),
    })),
  ];
}

describe.each(queueStores())('with the $kind queue, card numbers sent by mistake', (store) => {
  let service: TestService;
  let made: Made;

  beforeAll(async () => {
    service = await startService(store, { LOG_LEVEL: 'trace', SCHEDULER_INTERVAL: '500ms' });
    made = await givenPayments();
  });
  afterAll(() => service?.stop());

  async function create<T>(at: string, body: object): Promise<T> {
    const answer = await service.request<T>('POST', at, body);
    expect({ at, body: answer.body, status: answer.status }).toMatchObject({ status: 201 });
    return answer.body;
  }

  async function givenPayments(): Promise<Made> {
    const token = { provider: 'sandbox', providerToken: 'tok_approved' };
    const { tokenId } = await create<{ tokenId: number }>('/gateway/tokens', token);
    const charge = (more: object) =>
      create<{ chargeId: number }>('/gateway/charges', { tokenId, amount: 1_000, ...more });
    const page = { amount: 5, description: 'Work' };
    const { url } = await create<{ url: string }>('/gateway/payments/payment-pages', page);
    return {
      tokenId,
      chargeId: (await charge({})).chargeId,
      authorizedId: (await charge({ capture: false })).chargeId,
      pageKey: url.split('/').at(-1)!,
    };
  }

  /** Sends the request exactly as given, without a client that would validate or fix it. */
  function send({ method, path: at, headers = {}, body }: Sent): Promise<number> {
    return new Promise((resolve, reject) => {
      // Node sends the body of a DELETE without its length, so the server would read it as the next request.
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const all = {
        ...length,
        authorization: `Bearer ${DEMO_KEY}`,
        'content-type': 'application/json',
        ...headers,
      };
      const sent = request(service.url + at, { method, headers: all }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** Returns the table columns and other places that contain one of the numbers. */
  async function placesHolding(): Promise<string[]> {
    const columns = await service.database.query<{ table: string; column: string }>(
      `select format('%I.%I', table_schema, table_name) as "table", format('%I', column_name) as "column"
         from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
    );
    expect(columns.length).toBeGreaterThan(200);
    const places: string[] = [];
    for (const { table, column } of columns) {
      const held = await service.database.query(
        `select 1 from ${table} where ${column}::text ~* $1 or ${column}::text ~* $2 limit 1`,
        [FOUND.source, HEX.source],
      );
      if (held.length > 0) places.push(`${table}.${column}`);
    }
    if (store.redisUrl !== null) {
      const kept = await textOfStore(store);
      expect(kept).toContain('outbox.relay');
      if (FOUND.test(kept)) places.push('Redis');
    }
    for (const entry of fs.readdirSync(service.dataDir, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (FOUND.test(entry.name) || (entry.isFile() && FOUND.test(fs.readFileSync(file, 'latin1'))))
        places.push(file);
    }
    return places;
  }
  const logged = () =>
    [service.logOf('api'), service.logOf('worker')].flatMap((log) =>
      log.split('\n').filter((line) => FOUND.test(line)),
    );

  it('are found by this test if they are stored', async () => {
    for (const spelling of NUMBERS.flatMap((digits) => WAYS.map((written) => written(digits)))) {
      const encoded = encodeURIComponent(spelling);
      for (const text of [`x ${spelling} y`, JSON.stringify(spelling), encoded, encodeURIComponent(encoded)])
        expect(FOUND.test(text)).toBe(true);
    }
    // Every spelling is used.
    expect(WAYS.every((written) => NUMBERS.some((digits) => SPELLINGS.includes(written(digits))))).toBe(true);
    // Without the audit log, which would keep the planted number.
    const describePages = (text: string) =>
      service.database.query(
        `do $$ begin
           set local counterfoil.audit = 'off';
           update payment_pages set description = ${text};
         end $$`,
      );
    await describePages(`E'card 4242\\n4242\\n4242\\n4242'`);
    const file = path.join(service.dataDir, 'planted');
    fs.writeFileSync(file, 'card 378282246310005');
    expect(await placesHolding()).toEqual(['public.payment_pages.description', file]);
    await describePages(`'Work'`);
    fs.rmSync(file);
    expect(await placesHolding()).toEqual([]);
  });

  it('are neither stored nor logged', async () => {
    const calls = callsOf(made);
    const sent = SPELLINGS.flatMap((number) => [
      ...inBodies(calls, number),
      ...inHeaders(calls, number),
      ...inUrls(calls, number),
    ]);
    expect(sent.length).toBeGreaterThan(5_000);
    const statuses: Record<number, number> = {};
    for (let from = 0; from < sent.length; from += AT_ONCE) {
      const batch = sent.slice(from, from + AT_ONCE);
      for (const status of await Promise.all(batch.map(send))) statuses[status] = (statuses[status] ?? 0) + 1;
    }
    // All kinds occur: refused, unknown, and accepted because that field is ignored.
    expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['201', '400', '401', '404']));
    expect(Object.keys(statuses).filter((status) => Number(status) >= 500)).toEqual([]);
    await until('nothing is to be told any more', async () => {
      const left = 'select 1 from outbox_events where relayed_at is null limit 1';
      return (await service.database.query(left)).length === 0;
    });
    expect(service.logOf('api').split('\n').length).toBeGreaterThan(sent.length);
    expect(logged().slice(0, 20)).toEqual([]);
    expect(await placesHolding()).toEqual([]);
  });
});
