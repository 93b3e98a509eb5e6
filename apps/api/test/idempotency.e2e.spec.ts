import { DEMO_KEY, startApiService, type TestService, until } from '@counterfoil/test-harness';
import { expectError } from './error-body';
import { type Answer, closeConnections, exchange, exchangeBytes } from './http-exchange';

const ITEM = { description: 'Consulting', quantity: 1, unitPrice: 100 };
const INVOICES = '/documents/create/tax-invoice';
const REUSED = { status: 409, code: 'IDEMPOTENCY_KEY_REUSED' };
const IN_PROGRESS = { status: 409, code: 'REQUEST_IN_PROGRESS' };
const MALFORMED = { status: 400, code: 'INVALID_IDEMPOTENCY_KEY' };

let service: TestService;
let entityId: number;
let keys = 0;

beforeAll(async () => {
  service = await startApiService();
  entityId = await aClient(DEMO_KEY);
});
afterAll(async () => {
  closeConnections();
  await service.stop();
});

const get = (path: string) => exchange(service.url, { method: 'GET', path });
const freshKey = () => `key ${++keys}`;
const anInvoice = (more: object = {}) => ({ entityId, items: [ITEM], ...more });

/** Maximum number of open transactions of one company in one process. */
const OPEN_AT_ONCE_MAX = 4;

interface As {
  readonly path?: string;
  readonly apiKey?: string;
  readonly url?: string | undefined;
}

/** Sends a body, a text or an object as JSON, with an idempotency key. */
function post(
  key: string | null,
  body: unknown,
  { path = INVOICES, apiKey = DEMO_KEY, url = service.url }: As = {},
): Promise<Answer> {
  return exchange(url, {
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${apiKey}`, 'idempotency-key': key },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

async function aClient(apiKey: string): Promise<number> {
  const client = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
  const { text } = await post(null, client, { path: '/clients/create', apiKey });
  return (JSON.parse(text) as { clientId: number }).clientId;
}

const read = (answer: Answer) => JSON.parse(answer.text) as Record<string, unknown>;

/** Returns the number of documents, and the last document and change numbers. */
async function consumed(): Promise<unknown> {
  const [consumed] = await service.database.query(
    'select count(*)::int as documents, max(number)::int as number, max(change_number)::int as change from documents',
  );
  return consumed;
}

function expectReplayOf(first: Answer, replay: Answer): void {
  expect(replay).toMatchObject({ status: 200, text: first.text });
  expect(replay.headers['idempotent-replay']).toBe('true');
  expect(replay.headers['content-type']).toBe(first.headers['content-type']);
}

describe('a repeated call with the same key (contract §9.2)', () => {
  it('gets the first response, byte for byte, with 200 and Idempotent-Replay, and issues nothing', async () => {
    const key = freshKey();
    const first = await post(key, anInvoice({ notes: 'שלום\u2028😀' }));
    expect(first.status).toBe(201);
    expect(first.headers).not.toHaveProperty('idempotent-replay');
    expect(first.headers['content-type']).toBe('application/json; charset=utf-8');
    const before = await consumed();
    for (let again = 0; again < 3; again++)
      expectReplayOf(first, await post(key, anInvoice({ notes: 'שלום\u2028😀' })));
    expect(await consumed()).toEqual(before);
  });

  it('gets it even if the document has changed since', async () => {
    const key = freshKey();
    const first = await post(key, anInvoice());
    const { visibleId } = read(first);
    expect((await post(null, {}, { path: `/documents/close/${String(visibleId)}` })).status).toBe(200);
    const numbered = { path: `/documents/approval-number/${String(visibleId)}` };
    expect((await post(null, { approvalNumber: '123456789' }, numbered)).status).toBe(200);
    expectReplayOf(first, await post(key, anInvoice()));
    expect(read(await get(`/documents/${String(visibleId)}`))).toMatchObject({ status: 'CLOSED' });
  });

  it.each([
    [
      'white space and the order of keys',
      () =>
        ` {\n "items":[{"unitPrice":100,"quantity":1,"description":"Consulting"}], "entityId":${entityId}}`,
    ],
    [
      'the spelling of numbers',
      () =>
        JSON.stringify(anInvoice())
          .replace('"unitPrice":100', '"unitPrice":1.0e2')
          .replace('"quantity":1', '"quantity":1.0'),
    ],
    ['escapes', () => JSON.stringify(anInvoice()).replace('Consulting', '\\u0043onsulting')],
    [
      'a key sent twice, the last of which counts',
      () => JSON.stringify(anInvoice()).replace('{', '{"entityId":5,'),
    ],
  ])('counts as the same call despite %s (contract §9.6)', async (_, respelled) => {
    const key = freshKey();
    expectReplayOf(await post(key, anInvoice()), await post(key, respelled()));
  });

  it.each([
    '/documents/create/TAX_INVOICE',
    '/documents/create/tax_invoice',
    '/documents/create/Tax-Invoice',
    `${INVOICES}?x=1`,
  ])('counts as the same call at %s', async (path) => {
    const key = freshKey();
    expectReplayOf(await post(key, anInvoice()), await post(key, anInvoice(), { path }));
  });

  it('counts as the same call with any key of the company whose role may write', async () => {
    const key = freshKey();
    const first = await post(key, anInvoice());
    const made = async (role: string) =>
      read(await post(null, { role, userName: role }, { path: '/api-keys' }));
    const [editor, viewer] = [await made('editor'), await made('viewer')];
    expectReplayOf(first, await post(key, anInvoice(), { apiKey: String(editor['key']) }));
    expectError(await post(key, anInvoice(), { apiKey: String(viewer['key']) }), {
      status: 403,
      code: 'FORBIDDEN',
    });
    await exchange(service.url, { method: 'DELETE', path: `/api-keys/${String(editor['id'])}` });
    for (const apiKey of [String(editor['key']), 'sk_live_unknown']) {
      expectError(await post(key, anInvoice(), { apiKey }), { status: 401, code: 'UNAUTHENTICATED' });
    }
  });
});

describe('a different call with a used key (contract §9.3)', () => {
  it.each([
    ['another amount', () => anInvoice({ items: [{ ...ITEM, unitPrice: 100.01 }] })],
    ['a null that was left out', () => anInvoice({ notes: null })],
    ['an unknown field', () => anInvoice({ unknown: 1 })],
    ['a body that is not valid', () => ({ entityId: 'x' })],
    ['an empty body', () => ({})],
    ['an unknown entity', () => anInvoice({ entityId: 999_999 })],
  ])('is refused before the body is validated: %s', async (_, other) => {
    const key = freshKey();
    const first = await post(key, anInvoice());
    const before = await consumed();
    expectError(await post(key, other()), REUSED);
    expect(await consumed()).toEqual(before);
    expectReplayOf(first, await post(key, anInvoice()));
  });

  it.each(['[]', '5', 'null', '{"a":'])('is refused first if it is not a JSON object: %s', async (body) => {
    const key = freshKey();
    await post(key, anInvoice());
    expectError(await post(key, body), { status: 400, code: 'VALIDATION_FAILED' });
  });

  it('is refused for another type with the same body', async () => {
    const key = freshKey();
    await post(key, anInvoice());
    expectError(await post(key, anInvoice(), { path: '/documents/create/order' }), REUSED);
    expectError(await post(key, anInvoice(), { path: '/documents/create/nonsense' }), {
      status: 404,
      code: 'NOT_FOUND',
    });
  });

  it('is allowed for another company (contract §9.1)', async () => {
    const { ownerKey } = await service.createCompany('Other');
    const theirs = { entityId: await aClient(ownerKey), items: [ITEM] };
    const key = freshKey();
    const ours = await post(key, anInvoice());
    const issued = await post(key, theirs, { apiKey: ownerKey });
    expect(issued.status).toBe(201);
    expect(read(issued)['visibleId']).not.toBe(read(ours)['visibleId']);
    expectReplayOf(issued, await post(key, theirs, { apiKey: ownerKey }));
    expectReplayOf(ours, await post(key, anInvoice()));
  });
});

describe('a call whose first call is still running (contract §9.4)', () => {
  /** Sends the invoice with each key, and runs `work` while all of these calls are still running. */
  async function whileRunning(keysInUse: readonly string[], work: () => Promise<void>): Promise<Answer[]> {
    // After taking the key, issuing waits for the locked row of this entity.
    const held = service.database.hold(`select 1 from entities where id = ${entityId} for update`);
    await held.ready;
    const running = keysInUse.map((key) => post(key, anInvoice()));
    const taken = Math.min(keysInUse.length, OPEN_AT_ONCE_MAX);
    await until('the calls to have taken their keys', async () => (await openKeys()) === taken);
    try {
      await work();
    } finally {
      await held.release();
    }
    const answers = await Promise.all(running);
    for (const { status } of answers) expect(status).toBe(201);
    return answers;
  }

  /** Returns the number of calls with a key and an open transaction. */
  async function openKeys(): Promise<number> {
    const sql = `select 1 from pg_locks join pg_stat_activity a using (pid)
      where locktype = 'advisory' and objsubid = 2 and granted and datname = current_database()
        and application_name = 'counterfoil-api'`;
    return (await service.database.query(sql)).length;
  }

  it('gets 409 with Retry-After, and a different call gets that the key is used', async () => {
    const key = freshKey();
    const before = (await consumed()) as { documents: number };
    const [first] = await whileRunning([key], async () => {
      const same = await post(key, anInvoice());
      expectError(same, IN_PROGRESS);
      expect(Number(same.headers['retry-after'])).toBeGreaterThan(0);
      expectError(await post(key, anInvoice({ notes: 'x' })), REUSED);
      expectError(await post(key, anInvoice(), { path: '/documents/create/order' }), REUSED);
    });
    expect(first!.status).toBe(201);
    expectReplayOf(first!, await post(key, anInvoice()));
    expect(await consumed()).toMatchObject({ documents: before.documents + 1 });
  });

  it('gets the right one of both, also while the same body is issued with other keys', async () => {
    const own = [freshKey(), freshKey(), freshKey()];
    await whileRunning(own, () => expectTold(own));
  });

  it('gets it while the maximum number of calls is running', async () => {
    const own = Array.from({ length: OPEN_AT_ONCE_MAX }, freshKey);
    await whileRunning(own, () => expectTold(own));
  });

  it('gets it before errors of its own body', async () => {
    const key = freshKey();
    await whileRunning([key], async () => {
      for (const wrong of [{ items: [] }, anInvoice({ entityId: 'x' }), anInvoice({ items: [] })]) {
        expectError(await post(key, wrong), REUSED);
      }
    });
  });

  it('gets it from a process in which the company uses every slot', async () => {
    const second = await service.startApiProcess();
    const running = freshKey();
    const waiting: Promise<Answer>[] = [];
    await whileRunning([running], async () => {
      const others = Array.from({ length: OPEN_AT_ONCE_MAX + 1 }, () =>
        post(freshKey(), anInvoice(), { url: second.url }),
      );
      await until('the second process to be full', async () => (await openKeys()) === 1 + OPEN_AT_ONCE_MAX);
      await expectTold([running], second.url);
      waiting.push(...others);
    });
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(201);
  });

  async function expectTold(keysInUse: readonly string[], url?: string): Promise<void> {
    for (const key of keysInUse) {
      expectError(await post(key, anInvoice(), { url }), IN_PROGRESS);
      expectError(await post(key, anInvoice({ notes: 'x' }), { url }), REUSED);
    }
  }

  it('50 at once, half with another body: one document, and each response is one of three', async () => {
    const key = freshKey();
    const before = (await consumed()) as { documents: number };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => post(key, anInvoice({ notes: n % 2 === 0 ? 'a' : 'b' }))),
    );
    const kinds = answers.map((answer, n) => {
      const { code } = read(answer);
      return {
        body: n % 2,
        kind: code ?? (answer.headers['idempotent-replay'] === 'true' ? 'replay' : answer.status),
      };
    });
    const winners = kinds.filter(({ kind }) => kind === 201);
    expect(winners).toHaveLength(1);
    for (const { body, kind } of kinds) {
      const mayBe =
        body === winners[0]?.body ? [201, 'replay', 'REQUEST_IN_PROGRESS'] : ['IDEMPOTENCY_KEY_REUSED'];
      expect(mayBe).toContain(kind);
    }
    expect(await consumed()).toMatchObject({ documents: before.documents + 1 });
  });
});

describe('a key (contract §9.1)', () => {
  it.each([
    ['empty', ''],
    ['blank', '   '],
    ['256 characters', 'k'.repeat(256)],
    ['non-ASCII', 'cl\u00e9'],
    ['a tab', 'a\tb'],
    ['the bytes of UTF-8', Buffer.from('מפתח').toString('latin1')],
  ])('is malformed: %s', async (_, key) => {
    const before = await consumed();
    expectError(await post(key, anInvoice()), MALFORMED);
    // The key is checked before the body.
    expectError(await post(key, {}), MALFORMED);
    expect(await consumed()).toEqual(before);
  });

  it.each([
    ['two', ['a', 'b']],
    ['the same twice', ['a', 'a']],
  ])('is malformed as %s headers', async (_, values) => {
    const body = JSON.stringify(anInvoice());
    const head = [
      `POST ${INVOICES} HTTP/1.1`,
      'Host: a',
      'Content-Type: application/json',
      `Authorization: Bearer ${DEMO_KEY}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...values.map((value) => `Idempotency-Key: ${value}`),
    ];
    expectError(await exchangeBytes(service.url, [`${head.join('\r\n')}\r\n\r\n${body}`]), MALFORMED);
  });

  it.each([
    ['255 characters', 'k'.repeat(255)],
    ['one character', 'x'],
    ['quotes, which are part of it', '"x"'],
    ['every sign', '!#$%&\'()*+,-./:;<=>?@[]^_`{|}~\\ "'],
  ])('is valid with %s', async (_, key) => {
    const first = await post(key, anInvoice());
    expect(first.status).toBe(201);
    expectReplayOf(first, await post(key, anInvoice()));
  });

  it('is case-sensitive', async () => {
    const answers = [await post('Letters', anInvoice()), await post('letters', anInvoice())];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  });
});

describe('a key of a refused call (contract §9.5)', () => {
  it.each([
    ['a field', 400, () => anInvoice({ currency: 'x' })],
    ['a rule', 400, () => anInvoice({ items: [] })],
    ['an unknown reference', 400, () => anInvoice({ entityId: 999_999 })],
    ['JSON that is none', 400, () => '{"entityId":'],
    ['a linked document that is unknown', 400, () => anInvoice({ linkedDocumentIds: [999_999] })],
  ])('with %s can be used again', async (_, status, refused) => {
    const key = freshKey();
    const before = await consumed();
    expect((await post(key, refused())).status).toBe(status);
    expect((await post(key, refused())).status).toBe(status);
    expect(await consumed()).toEqual(before);
    const first = await post(key, anInvoice());
    expect(first.status).toBe(201);
    expectReplayOf(first, await post(key, anInvoice()));
  });

  it('with the state of a linked document (409) can be used again', async () => {
    const key = freshKey();
    const order = read(await post(null, anInvoice(), { path: '/documents/create/order' }));
    await post(null, {}, { path: `/documents/close/${String(order['visibleId'])}` });
    const linked = anInvoice({ linkedDocumentIds: [order['id']] });
    expectError(await post(key, linked), { status: 409, code: 'INVALID_STATE' });
    expect((await post(key, anInvoice())).status).toBe(201);
  });

  it('with an internal error (500) at the commit can be used again, and no number is consumed', async () => {
    await service.database.query(`
      create function refuse_stored() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
      create constraint trigger refuse_stored after insert on idempotency_keys deferrable initially deferred
        for each row execute function refuse_stored()`);
    const key = freshKey();
    const before = await consumed();
    try {
      expectError(await post(key, anInvoice()), { status: 500, code: 'INTERNAL' });
    } finally {
      await service.database.query('drop trigger refuse_stored on idempotency_keys');
    }
    expect(await consumed()).toEqual(before);
    expect((await post(key, anInvoice())).status).toBe(201);
  });
});

describe('an externalId under a key (contract §8.6)', () => {
  it('is answered with alreadyExists, which is stored with its key', async () => {
    const body = anInvoice({ externalId: 'idempotent order' });
    const created = await post(null, body);
    const key = freshKey();
    const existing = await post(key, body);
    expect(existing.status).toBe(200);
    expect(existing.headers).not.toHaveProperty('idempotent-replay');
    const { id, visibleId, type, number } = read(created);
    const answer = {
      success: true,
      id,
      visibleId,
      type,
      number,
      externalId: 'idempotent order',
      alreadyExists: true,
    };
    expect(read(existing)).toEqual(answer);
    expectReplayOf(existing, await post(key, body));
    expectError(await post(key, anInvoice({ externalId: 'another order' })), REUSED);
  });

  it('50 at once with 50 keys: one document, 49 times alreadyExists, each key stored', async () => {
    const body = anInvoice({ externalId: 'raced order' });
    const own = Array.from({ length: 50 }, freshKey);
    const first = await Promise.all(own.map((key) => post(key, body)));
    expect(first.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(first.filter((answer) => read(answer)['alreadyExists'] === true)).toHaveLength(49);
    expect(new Set(first.map((answer) => read(answer)['id'])).size).toBe(1);
    const again = await Promise.all(own.map((key) => post(key, body)));
    for (const [index, answer] of again.entries()) expectReplayOf(first[index]!, answer);
  });
});

describe('a preview', () => {
  it('ignores the key, even a malformed or used one, and stores none (contract §8.10)', async () => {
    const key = freshKey();
    const preview = { ...anInvoice(), type: 'TAX_INVOICE' };
    const before = await consumed();
    for (const path of ['/documents/preview', '/documents/preview/html']) {
      for (const sent of [key, key, '', 'k'.repeat(300)]) {
        const answer = await post(sent, preview, { path });
        expect({ path, sent, status: answer.status }).toEqual({ path, sent, status: 200 });
        expect(answer.headers).not.toHaveProperty('idempotent-replay');
      }
    }
    expect(await consumed()).toEqual(before);
    const stored = await service.database.query('select 1 from idempotency_keys where key = $1', [key]);
    expect(stored).toEqual([]);
    expect((await post(key, anInvoice())).status).toBe(201);
    expect((await post(key, preview, { path: '/documents/preview' })).status).toBe(200);
  });
});
