import {
  createTestDatabase,
  freePorts,
  type Installation,
  installPackages,
  type TestDatabase,
  until,
} from '@counterfoil/test-harness';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { runKilledSweep } from './testing/killed-sweep.ts';
import { lineCount, readmeCode } from './testing/readme-code.ts';

/** Runs the two programs of the README as they are printed, with the packed package. */

const LINES_MAX = 10;
const SECRET = 'whsec_c2VjcmV0';

describe('the sync', () => {
  it('misses no change, although its process is killed', async () => {
    expect(lineCount(readmeCode('The change feed', 'js'))).toBeLessThanOrEqual(LINES_MAX);
    const report = await runKilledSweep(400, 3);
    expect(report).toMatchObject({ kills: 3, missing: [], outdated: [] });
    expect(report.changes).toBeGreaterThanOrEqual(400);
    expect(report.documents).toBeGreaterThan(200);
  }, 180_000);
});

describe('the receiver', () => {
  let installation: Installation;
  let database: TestDatabase;
  let receiver: ChildProcess;
  let url: string;

  /** Serves a handler of Fetch as frameworks do. */
  const SERVER = `
    import { createServer } from 'node:http';
    import { buffer } from 'node:stream/consumers';
    import { POST } from './receive.mjs';
    createServer(async (request, response) => {
      const { method, headers } = request;
      const body = method === 'POST' ? await buffer(request) : null;
      const answer = POST(new Request('http://localhost/', { method, headers, body }));
      response.writeHead(await answer.then(({ status }) => status, () => 500)).end();
    }).listen(process.env.PORT, '127.0.0.1');`;

  beforeAll(async () => {
    [installation, database] = await Promise.all([
      installPackages('webhook-verifier', 'sdk'),
      createTestDatabase(),
    ]);
    await installation.link('pg');
    await database.query(readmeCode('Webhooks', 'sql'));
    await installation.write('receive.mjs', readmeCode('Webhooks', 'js'));
    const program = await installation.write('server.mjs', SERVER);
    const [port] = await freePorts(1);
    const env = { ...process.env, PORT: `${port}`, DATABASE_URL: database.adminUrl, WEBHOOK_SECRET: SECRET };
    receiver = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    url = `http://127.0.0.1:${port}/`;
    await until('the receiver', () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    );
  });

  afterAll(async () => {
    if (receiver?.exitCode === null) {
      const exited = once(receiver, 'exit');
      receiver.kill();
      await exited;
    }
    await database?.drop();
    await installation?.remove();
  });

  async function deliver(id: string, secret = SECRET): Promise<number> {
    const body = JSON.stringify({ id, type: 'document.created', created: 1, data: {} });
    const time = Math.floor(Date.now() / 1_000);
    const digest = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
    const headers = { 'service-signature': `t=${time},v1=${digest}` };
    return (await fetch(url, { method: 'POST', body, headers })).status;
  }

  const stored = () => database.query<{ id: string }>('SELECT id FROM events ORDER BY id');

  it('has few lines', () => {
    expect(lineCount(readmeCode('Webhooks', 'js'))).toBeLessThanOrEqual(LINES_MAX);
  });

  it('takes an event once, however often it arrives, also concurrently', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => deliver('evt_1')));
    expect([...answers, await deliver('evt_1'), await deliver('evt_2')]).toEqual(
      Array.from({ length: 10 }, () => 204),
    );
    expect(await stored()).toEqual([{ id: 'evt_1' }, { id: 'evt_2' }]);
  });

  it('refuses an event of somebody else, and keeps nothing of it', async () => {
    expect(await deliver('evt_3', 'whsec_other')).toBe(500);
    expect((await stored()).map(({ id }) => id)).not.toContain('evt_3');
  });
});
