import {
  createTestDatabase,
  freePorts,
  type Installation,
  installPackages,
  type TestDatabase,
  until,
} from '@counterfoil/test-harness';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { documentedCode } from './testing/documented-code';
import { digestOf, nowSeconds, signed } from './testing/signed';

/** Runs the receiver of docs/webhooks.md, unchanged, on its tables. */

const SECTION = 'Take each event once, and ignore what is old';
const SECRET = 'whsec_c2VjcmV0';

let installation: Installation;
let database: TestDatabase;
let receiver: ChildProcess;
let url: string;
let printed = '';
let count = 0;

beforeAll(async () => {
  [installation, database] = await Promise.all([installPackages('webhook-verifier'), createTestDatabase()]);
  await installation.link('pg');
  await database.query(documentedCode(SECTION, 'sql'));
  const file = await installation.write('receiver.mjs', documentedCode(SECTION, 'js', 'createServer'));
  const [port] = await freePorts(1);
  const env = { ...process.env, PORT: `${port}`, DATABASE_URL: database.adminUrl, WEBHOOK_SECRET: SECRET };
  receiver = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [receiver.stdout, receiver.stderr])
    stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  url = `http://127.0.0.1:${port}/hooks`;
  await until('the receiver', () => {
    if (receiver.exitCode !== null) throw new Error(`it ended:\n${printed}`);
    return fetch(url).then(
      () => true,
      () => false,
    );
  });
}, 90_000);

afterAll(async () => {
  if (receiver?.exitCode === null) {
    const exited = once(receiver, 'exit');
    receiver.kill();
    await exited;
  }
  await database?.drop();
  await installation?.remove();
});

/** An event of one document in the format of the service. */
function event(document: string, updatedAt: string, status: unknown, id = `evt_${(count += 1)}`): string {
  const snapshot = {
    id: document,
    type: 'TAX_INVOICE',
    number: 7,
    updatedAt,
    status,
    remainingAmount: 100.5,
  };
  return JSON.stringify({ id, type: 'document.created', created: 1, data: { document: snapshot } });
}

async function deliver(body: string, header = signed(SECRET, nowSeconds(), body)): Promise<number> {
  const { status } = await fetch(url, { method: 'POST', body, headers: { 'service-signature': header } });
  return status;
}

async function statusOf(document: string): Promise<string | undefined> {
  const [row] = await database.query<{ status: string }>('SELECT status FROM known_documents WHERE id = $1', [
    document,
  ]);
  return row?.status;
}

const [FIRST, SECOND, THIRD] = [
  '2026-11-21T10:00:00.001Z',
  '2026-11-21T10:00:00.002Z',
  '2026-11-21T10:00:01.000Z',
];

describe('the receiver in docs/webhooks.md', () => {
  it('accepts a valid event, and one with a second v1', async () => {
    expect(await deliver(event('doc_a', FIRST, 'OPEN'))).toBe(204);
    expect(await statusOf('doc_a')).toBe('OPEN');
    const body = event('doc_a', SECOND, 'PAID');
    const now = nowSeconds();
    const header = `t=${now},v1=${digestOf('whsec_old', now, body)},v1=${digestOf(SECRET, now, body)}`;
    expect(await deliver(body, header)).toBe(204);
    expect(await statusOf('doc_a')).toBe('PAID');
  });

  it('refuses modified, unsigned and old events, and stores nothing of them', async () => {
    const body = event('doc_b', FIRST, 'OPEN');
    const header = signed(SECRET, nowSeconds(), body);
    expect(await deliver(body.replace('OPEN', 'PAID'), header)).toBe(400);
    expect(await deliver(body, '')).toBe(400);
    expect(await deliver(body, signed(SECRET, nowSeconds() - 400, body))).toBe(400);
    expect(await statusOf('doc_b')).toBeUndefined();
    expect(await deliver(body, header)).toBe(204);
    expect(await statusOf('doc_b')).toBe('OPEN');
  });

  it('accepts an event once, however often it arrives, also concurrently', async () => {
    await database.query('ALTER TABLE known_documents ADD COLUMN IF NOT EXISTS changes integer DEFAULT 1');
    await database.query(`CREATE OR REPLACE FUNCTION count_change() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.changes := OLD.changes + 1; RETURN NEW; END $$`);
    await database.query(
      'CREATE OR REPLACE TRIGGER counting BEFORE UPDATE ON known_documents FOR EACH ROW EXECUTE FUNCTION count_change()',
    );
    const body = event('doc_c', FIRST, 'OPEN');
    const answers = await Promise.all(Array.from({ length: 8 }, () => deliver(body)));
    expect([...answers, await deliver(body)]).toEqual(Array.from({ length: 9 }, () => 204));
    expect(await database.query("SELECT changes FROM known_documents WHERE id = 'doc_c'")).toEqual([
      { changes: 1 },
    ]);
  });

  it('ignores older data than it has, in any order of arrival', async () => {
    const [first, second, third] = [
      event('doc_d', FIRST, 'OPEN'),
      event('doc_d', SECOND, 'PARTIALLY_PAID'),
      event('doc_d', THIRD, 'PAID'),
    ];
    for (const body of [second, first, third]) expect(await deliver(body)).toBe(204);
    expect(await statusOf('doc_d')).toBe('PAID');
    expect(await deliver(event('doc_d', SECOND, 'PARTIALLY_PAID'))).toBe(204);
    expect(await statusOf('doc_d')).toBe('PAID');
  });

  it('accepts an event again if its first processing failed', async () => {
    expect(await deliver(event('doc_e', FIRST, null, 'evt_failing'))).toBe(500);
    expect(await statusOf('doc_e')).toBeUndefined();
    expect(await deliver(event('doc_e', FIRST, 'OPEN', 'evt_failing'))).toBe(204);
    expect(await statusOf('doc_e')).toBe('OPEN');
  });

  it('accepts events without a document', async () => {
    const body = JSON.stringify({ id: 'evt_charge', type: 'charge.succeeded', created: 1, data: {} });
    expect(await deliver(body)).toBe(204);
    expect(await database.query("SELECT id FROM received_events WHERE id = 'evt_charge'")).toHaveLength(1);
  });
});
