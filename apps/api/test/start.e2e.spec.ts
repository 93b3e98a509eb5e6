import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import { DEMO_KEY, freePorts, processFamily, until } from '@counterfoil/test-harness';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RawConnection } from './raw-connection';
import { StartClient } from './start-client';
import {
  cleanUp,
  isAlive,
  listenAnywhere,
  newSurroundings,
  postgresOf,
  processesOf,
  start,
  StartedFolder,
  type Surroundings,
  Tool,
  waitUntilGone,
} from './start-service';

const QUICKLY_MS = 10_000;
const LEFTOVER_LIMIT_MS = 15_000;
/** For tests that start the whole service several times. */
const RESTARTS_LIMIT_MS = 240_000;

let startedFolder: StartedFolder;
let surroundings: Surroundings;
let client: StartClient;
let tools: Tool[];

beforeAll(async () => {
  startedFolder = await StartedFolder.create();
});
afterAll(() => startedFolder?.delete());

beforeEach(async () => {
  surroundings = await newSurroundings();
  client = new StartClient(surroundings);
  tools = [];
});

afterEach(() => cleanUp(surroundings, tools));

function remember(tool: Tool): Tool {
  tools.push(tool);
  return tool;
}

async function startUntilReady(): Promise<Tool> {
  const tool = remember(start(surroundings));
  await tool.prints('Ready in');
  return tool;
}

/** For tests to which the creation of the data folder does not matter. */
function startAgain(): Promise<Tool> {
  startedFolder.copyTo(surroundings.dataDir);
  return startUntilReady();
}

describe('npm start', () => {
  it('starts everything, prints its address, leaves nothing running after Ctrl-C, and no readable secret', async () => {
    const tool = await startUntilReady();
    expect(tool.stdout).toContain(`http://127.0.0.1:${surroundings.port}/docs`);
    expect(tool.stdout).toContain(DEMO_KEY);
    expect(tool.stdout).toContain('BullMQ on PostgreSQL');
    expect(await client.documentCount()).toBe(0);

    const { supervisor, children, postgres } = processesOf(surroundings);
    expect([supervisor, ...children, postgres].map(isAlive)).toEqual([true, true, true, true]);
    tool.pressCtrlC();
    expect(await tool.exited).toBe(0);
    expect([supervisor, ...children, postgres].map(isAlive)).toEqual([false, false, false, false]);
    expect(fs.existsSync(`${surroundings.dataDir}/lock.json`)).toBe(false);
    expect(fs.existsSync(`${surroundings.dataDir}/postgres/postmaster.pid`)).toBe(false);
    expect(tool.stderr).toBe('');

    const secrets = ['secrets.key', 'postgres.password', 'postgres.log'];
    const modes = secrets.map((file) => fs.statSync(`${surroundings.dataDir}/${file}`).mode & 0o777);
    expect(modes).toEqual(secrets.map(() => 0o600));
  });

  it('ends its start with the addresses, and then prints a line for each request', async () => {
    const tool = remember(start(surroundings, { LOG_FORMAT: 'pretty', LOG_LEVEL: 'info' }));
    await tool.prints('Ready in');
    // The worker looks for a sandbox beside its start, so on a slow machine it says so after the addresses.
    await tool.prints('isolation of the receipt reader');
    const [, banner = ''] = tool.stdout.split('\n\n');
    expect(banner).toMatch(/^ {2}API +http:[^[]+ {2}Ready in [\d.]+ s\.\n/);
    const begin = tool.stdout.length;
    const listener = remember(
      new Tool([process.execPath, 'tools/counterfoil.mjs', 'listen'], surroundings.env),
    );
    await listener.prints('signing secret');
    for (let n = 0; n < 3; n++) await client.status('/health/ready');
    await client.status('/documents?limit=1');
    await client.issueInvoice();
    await listener.prints('signature ok');
    listener.pressCtrlC();
    await listener.exited;
    await tool.prints('GET /webhooks/stream');
    const lines = tool.stdout.slice(begin).trimEnd().split('\n');
    const shapes = [/ INFO \(api\): (GET|POST|DELETE) \/\S* \d{3} in [\d.]+ ms \{.*\}$/];
    expect(lines.filter((line) => !shapes.some((shape) => shape.test(line)))).toEqual([]);
    expect(lines.filter((line) => line.includes('/documents 200'))).toHaveLength(1);
    expect(tool.stdout).not.toContain('/health');
  });

  it('is stopped by a SIGTERM to npm', async () => {
    startedFolder.copyTo(surroundings.dataDir);
    const npm = remember(new Tool(['npm', 'start'], surroundings.env));
    await npm.prints('Ready in');
    const { supervisor, children, postgres } = processesOf(surroundings);
    npm.kill('SIGTERM');
    await npm.exited;
    await waitUntilGone([supervisor, ...children, postgres], LEFTOVER_LIMIT_MS);
  });

  it('stops when the npm that started it is killed', async () => {
    startedFolder.copyTo(surroundings.dataDir);
    const npm = remember(new Tool(['npm', 'start'], surroundings.env));
    await npm.prints('Ready in');
    const { supervisor, children, postgres } = processesOf(surroundings);
    npm.kill('SIGKILL');
    await waitUntilGone([supervisor, ...children, postgres], LEFTOVER_LIMIT_MS);
  });

  it('loses nothing when everything is killed with -9, and starts again (contract §17.1)', async () => {
    const tool = await startAgain();
    await client.issueInvoice();
    const { supervisor, children, postgres } = processesOf(surroundings);
    for (const pid of [supervisor, ...children, postgres]) process.kill(pid, 'SIGKILL');
    await tool.exited;

    const next = await startUntilReady();
    expect(next.stdout).not.toContain('taken over');
    expect(await client.documentCount()).toBe(1);
  });

  it(
    'refuses cursors after a copy of its data folder was restored, but not after a restart',
    async () => {
      const stop = async (tool: Tool): Promise<void> => {
        tool.pressCtrlC();
        expect(await tool.exited).toBe(0);
      };
      const { dataDir } = surroundings;
      const copy = `${dataDir} copy`;
      const first = await startAgain();
      await client.issueInvoice();
      const before = await client.cursor();
      await stop(first);
      fs.cpSync(dataDir, copy, { recursive: true, preserveTimestamps: true });

      const second = await startUntilReady();
      expect(await client.status(`/documents?cursor=${before}`)).toBe(200);
      await client.issueInvoice();
      const lost = await client.cursor();
      await stop(second);
      fs.rmSync(dataDir, { recursive: true });
      fs.renameSync(copy, dataDir);

      const third = await startUntilReady();
      for (let n = 0; n < 2; n++) await client.issueInvoice();
      expect(await client.status(`/documents?cursor=${lost}`)).toBe(400);
      const anew = await client.cursor();
      await stop(third);
      await startUntilReady();
      expect(await client.status(`/documents?cursor=${anew}`)).toBe(200);
    },
    RESTARTS_LIMIT_MS,
  );

  it('takes over PostgreSQL when only the supervisor is killed; its children end by themselves', async () => {
    const tool = await startAgain();
    await client.issueInvoice();
    const { supervisor, children, postgres } = processesOf(surroundings);
    process.kill(supervisor, 'SIGKILL');
    await tool.exited;

    const next = await startUntilReady();
    expect(children.map(isAlive)).toEqual([false, false]);
    expect(next.stdout).toContain('taken over');
    expect(processesOf(surroundings).postgres).toBe(postgres);
    expect(await client.documentCount()).toBe(1);
    next.pressCtrlC();
    expect(await next.exited).toBe(0);
    expect(isAlive(postgres)).toBe(false);
  });

  it('restarts a process that has ended, and the database too', async () => {
    const tool = await startAgain();
    const { children, postgres } = processesOf(surroundings);
    for (const pid of children) process.kill(pid, 'SIGKILL');
    await tool.prints('the API is ready again');
    await tool.prints('the worker is ready again');
    process.kill(postgres, 'SIGKILL');
    await tool.prints('PostgreSQL is ready again');
    await until('an answer again', () => client.isUp(), QUICKLY_MS);
  });

  it('leaves nothing running when its output is closed', async () => {
    const tool = remember(start(surroundings));
    await tool.prints('database');
    const postgres = postgresOf(surroundings);
    tool.stopReading();
    expect(await tool.exited).toBe(1);
    expect(tool.stderr).toBe('the output is closed (EPIPE)\n');
    expect(isAlive(postgres)).toBe(false);
    expect(fs.existsSync(`${surroundings.dataDir}/lock.json`)).toBe(false);
  });

  it('reports interrupted work with a line and its exit code', async () => {
    const tool = await startAgain();
    const { children, postgres } = processesOf(surroundings);
    // The children hang, and the user requests a faster stop.
    for (const pid of children.slice(1)) process.kill(pid, 'SIGSTOP');
    tool.pressCtrlC();
    await tool.prints('stopping');
    await until('a second Ctrl-C that counts', () => {
      if (children.some(isAlive)) tool.pressCtrlC();
      return !children.some(isAlive);
    });
    expect(await tool.exited).toBe(1);
    expect(tool.stderr).toBe('the worker was ended with work in flight (ended by SIGKILL)\n');
    await waitUntilGone([postgres], QUICKLY_MS);
    expect(fs.existsSync(`${surroundings.dataDir}/lock.json`)).toBe(false);
  });

  it('stops a PostgreSQL that is still starting on Ctrl-C', async () => {
    const tool = remember(start(surroundings));
    const pidFile = `${surroundings.dataDir}/postgres/postmaster.pid`;
    await until(
      'a PostgreSQL',
      () => fs.existsSync(pidFile) && fs.readFileSync(pidFile, 'utf8').includes('\n'),
    );
    const postgres = postgresOf(surroundings);
    tool.pressCtrlC();
    await tool.exited;
    expect(isAlive(postgres)).toBe(false);
    expect(fs.existsSync(`${surroundings.dataDir}/lock.json`)).toBe(false);
  });

  it('refuses a second start on the same data, and allows another service', async () => {
    const tool = await startAgain();
    const second = remember(start(surroundings));
    expect(await second.exited).toBe(1);
    expect(second.stderr.trim()).toMatch(
      new RegExp(`^Counterfoil is already running on .* \\(pid ${tool.pid}\\)[^\\n]*$`),
    );
    expect(await client.documentCount()).toBe(0);
  });
});

describe('while the database is prepared', () => {
  let tool: Tool;
  /** The API and the worker, which have loaded their code or still load it. */
  let children: number[];
  /** The process that prepares the database. It is suspended. */
  let preparing: number;

  beforeEach(async () => {
    startedFolder.copyTo(surroundings.dataDir);
    tool = remember(start(surroundings));
    preparing = await until('the preparation', () => processFamily(tool.pid).find(isPreparing), 30_000);
    process.kill(preparing, 'SIGSTOP');
    await until('the API and the worker', () => processesOf(surroundings).children.length === 2);
    ({ children } = processesOf(surroundings));
  });

  const isPreparing = (pid: number): boolean => {
    const commandLine = `/proc/${pid}/cmdline`;
    return fs.existsSync(commandLine) && fs.readFileSync(commandLine, 'utf8').includes('\0prepare\0');
  };

  it('Ctrl-C ends everything', async () => {
    tool.pressCtrlC();
    process.kill(preparing, 'SIGCONT');
    expect(await tool.exited).toBe(0);
    expect(children.map(isAlive)).toEqual([false, false]);
    expect(tool.stderr).toBe('');
    expect(fs.existsSync(`${surroundings.dataDir}/lock.json`)).toBe(false);
  });

  it('a failure is reported with one line, and ends everything', async () => {
    process.kill(preparing, 'SIGKILL');
    expect(await tool.exited).toBe(1);
    expect(tool.stderr).toBe('preparing the database failed (SIGKILL)\n');
    expect(children.map(isAlive)).toEqual([false, false]);
  });

  it('the processes end if the supervisor is killed', async () => {
    tool.kill('SIGKILL');
    await tool.exited;
    process.kill(preparing, 'SIGKILL');
    await waitUntilGone(children, QUICKLY_MS);
  });

  it('a process that ends is started again afterwards', async () => {
    process.kill(children[0]!, 'SIGKILL');
    await waitUntilGone(children.slice(0, 1), QUICKLY_MS);
    process.kill(preparing, 'SIGCONT');
    await tool.prints('Ready in');
    expect(await client.documentCount()).toBe(0);
  });
});

describe('the demo key', () => {
  const anywhere = { HOST: '0.0.0.0' };
  const PUBLISHED = 'answered 401';

  async function startWith(env: Readonly<Record<string, string>>): Promise<Tool> {
    const tool = remember(start(surroundings, env));
    await tool.prints('Ready in');
    return tool;
  }

  async function stop(tool: Tool): Promise<void> {
    tool.pressCtrlC();
    expect(await tool.exited).toBe(0);
  }

  const printedKey = ({ stdout }: Tool) => /Demo key +(\S+)/.exec(stdout)?.[1] ?? '';

  it(
    'is a random one of this folder if other machines can reach the API',
    async () => {
      const first = await startWith(anywhere);
      const key = printedKey(first);
      expect(key).toMatch(/^sk_test_[\w-]{32}$/);
      expect(first.stdout).not.toContain(DEMO_KEY);
      expect(await new StartClient(surroundings, key).documentCount()).toBe(0);
      await expect(client.documentCount()).rejects.toThrow(PUBLISHED);
      const addresses = Object.values(os.networkInterfaces()).flatMap((known) => known ?? []);
      for (const { address, family } of addresses) {
        if (family === 'IPv4') expect(first.stdout).toContain(`http://${address}:${surroundings.port}`);
      }
      expect(fs.statSync(`${surroundings.dataDir}/demo-owner.key`).mode & 0o777).toBe(0o600);

      const listener = remember(
        new Tool([process.execPath, 'tools/counterfoil.mjs', 'listen'], surroundings.env),
      );
      await listener.prints('signing secret');
      listener.pressCtrlC();
      await listener.exited;
      await stop(first);

      const second = await startWith({ PUBLIC_URL: 'https://books.example.com' });
      expect(printedKey(second)).toBe(key);
      expect(second.stdout).toContain('API        https://books.example.com');
      expect(second.stdout).toContain(`Listens on 127.0.0.1, port ${surroundings.port}`);
      await expect(client.documentCount()).rejects.toThrow(PUBLISHED);
    },
    RESTARTS_LIMIT_MS,
  );

  it(
    'that is published is refused once other machines can reach the API, and accepted again later',
    async () => {
      const local = await startWith({});
      expect(printedKey(local)).toBe(DEMO_KEY);
      await client.issueInvoice();
      await stop(local);

      const open = await startWith(anywhere);
      await expect(client.documentCount()).rejects.toThrow(PUBLISHED);
      // The same company, with its random key.
      expect(await new StartClient(surroundings, printedKey(open)).documentCount()).toBe(1);
      await stop(open);

      const again = await startWith({});
      expect(printedKey(again)).toBe(DEMO_KEY);
      expect(await client.documentCount()).toBe(1);
    },
    RESTARTS_LIMIT_MS,
  );

  it('that is published is refused through a tunnel or a proxy to this machine', async () => {
    await startAgain();
    const answered = async (headers: Readonly<Record<string, string>>) => {
      const options = { port: surroundings.port, path: '/company' };
      const request = http.get({
        ...options,
        headers: { authorization: `Bearer ${DEMO_KEY}`, ...headers },
      });
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    expect(await answered({ host: `localhost:${surroundings.port}` })).toBe(200);
    expect(await answered({ host: 'abcd.tunnel.example' })).toBe(401);
    expect(await answered({ 'x-forwarded-for': '203.0.113.9' })).toBe(401);
    expect(await answered({ forwarded: 'for=203.0.113.9' })).toBe(401);
    const url = `http://127.0.0.1:${surroundings.port}`;
    const head = `Host: 127.0.0.1:${surroundings.port}\r\nAuthorization: Bearer ${DEMO_KEY}\r\n\r\n`;
    for (const [version, status] of [
      ['1.1', 200],
      ['1.0', 401],
    ] as const) {
      const connection = RawConnection.open(url, `GET /company HTTP/${version}\r\n${head}`);
      await until('an answer', () => connection.statuses.length > 0);
      expect([version, connection.statuses[0]]).toEqual([version, status]);
    }
    RawConnection.hangUpAll();
  });
});

describe('the metrics', () => {
  /** Another loopback address than the default. It represents all other addresses. */
  const ELSEWHERE = '127.0.0.2';
  const areThere = (host: string) =>
    Promise.all(
      [surroundings.env['METRICS_PORT'], surroundings.env['WORKER_METRICS_PORT']].map((port) =>
        fetch(`http://${host}:${port}/metrics`).then(
          ({ status }) => status === 200,
          () => false,
        ),
      ),
    );

  it(
    'are on loopback whatever the API listens on, unless configured otherwise',
    async () => {
      const tool = remember(start(surroundings, { HOST: '0.0.0.0' }));
      await tool.prints('Ready in');
      expect(tool.stdout).toContain('plain HTTP: put a proxy with TLS in front of it');
      expect((await fetch(`http://${ELSEWHERE}:${surroundings.port}/health/live`)).status).toBe(200);
      expect(await areThere('127.0.0.1')).toEqual([true, true]);
      expect(await areThere(ELSEWHERE)).toEqual([false, false]);
      tool.pressCtrlC();
      await tool.exited;

      const told = remember(start(surroundings, { METRICS_HOST: '0.0.0.0' }));
      await told.prints('Ready in');
      expect(await areThere(ELSEWHERE)).toEqual([true, true]);
    },
    RESTARTS_LIMIT_MS,
  );
});

describe('a start that cannot succeed', () => {
  const elsewhere = { SECRETS_KEY: 'k'.repeat(32) };

  /** Asserts a quick exit with a non-zero code. Returns the lines on stderr. */
  async function refusals(env: Readonly<Record<string, string>>): Promise<string[]> {
    const begun = Date.now();
    const tool = remember(start(surroundings, env));
    expect(await tool.exited).toBe(1);
    expect(Date.now() - begun).toBeLessThan(QUICKLY_MS);
    return tool.stderr.trim().split('\n');
  }

  async function refusal(env: Readonly<Record<string, string>>): Promise<string> {
    const lines = await refusals(env);
    expect(lines).toHaveLength(1);
    return lines[0] ?? '';
  }

  it.each(['PORT', 'METRICS_PORT', 'WORKER_METRICS_PORT'])(
    'names %s if its port is taken, and the process that has it',
    async (name) => {
      const squatter = await listenAnywhere();
      const { port } = squatter;
      const lines = await refusals({ [name]: `${port}` });
      squatter.close();
      expect(lines).toEqual([
        expect.stringContaining(`port ${port} on 127.0.0.1 (${name}) is taken by pid ${process.pid} (`),
        expect.stringMatching(
          // The other ports of this test were chosen, too, and stay.
          new RegExp(`^stop what listens there, or start beside it: (\\w+=\\d+ ){2}${name}=\\d+ npm start$`),
        ),
      ]);
    },
  );

  it(
    'names all ports that another service has, and the command that starts beside it',
    async () => {
      await startAgain();
      const { children } = processesOf(surroundings);
      const { PORT, METRICS_PORT, WORKER_METRICS_PORT } = surroundings.env;
      const elsewhere = { DATA_DIR: `${surroundings.dataDir} of another` };
      const lines = await refusals(elsewhere);
      const [api, worker] = ['API', 'worker'].map(
        (app, index) =>
          `is taken by the ${app} of a Counterfoil (pid ${children[index]}) in ${process.cwd()}`,
      );
      expect(lines.slice(0, 3)).toEqual([
        `port ${PORT} on 127.0.0.1 (PORT) ${api}`,
        `port ${METRICS_PORT} on 127.0.0.1 (METRICS_PORT) ${api}`,
        `port ${WORKER_METRICS_PORT} on 127.0.0.1 (WORKER_METRICS_PORT) ${worker}`,
      ]);
      const proposed = [...(lines[3] ?? '').matchAll(/(\w+)=(\d+)/g)].map(([, name, port]) => [name, port]);
      const beside = remember(start(surroundings, { ...elsewhere, ...Object.fromEntries(proposed) }));
      await beside.prints('Ready in');
      beside.pressCtrlC();
      expect(await beside.exited).toBe(0);
    },
    RESTARTS_LIMIT_MS,
  );

  it.each([
    ['DATABASE_URL', 'postgres://someone:hunter2@127.0.0.1:PORT/books'],
    ['REDIS_URL', 'redis://:hunter2@127.0.0.1:PORT/0'],
  ])('names %s without its password if it cannot be reached', async (name, url) => {
    const [closed] = await freePorts(1);
    const line = await refusal({ ...elsewhere, [name]: url.replace('PORT', `${closed}`) });
    expect(line).toContain(`${name}: cannot use 127.0.0.1:${closed}`);
    expect(line).not.toContain('hunter2');
  });

  it.each([
    ['DATABASE_URL', 'postgres://someone:hunter2@127.0.0.1:PORT/books'],
    ['REDIS_URL', 'redis://:hunter2@127.0.0.1:PORT/0'],
  ])('names %s if it accepts connections but does not answer', async (name, url) => {
    const silent = await listenAnywhere();
    const { port } = silent;
    const line = await refusal({ ...elsewhere, [name]: url.replace('PORT', `${port}`) });
    silent.close();
    expect(line).toBe(`${name}: no answer from 127.0.0.1:${port} within 4 s`);
  });

  it('names both variables if their ports are equal', async () => {
    const { PORT = '' } = surroundings.env;
    expect(await refusal({ METRICS_PORT: PORT })).toBe(
      `PORT and METRICS_PORT are both ${PORT}: set one of them to another port`,
    );
  });

  it.each(['/etc/hostname', '/etc/hostname/data'])(
    'names the DATA_DIR %s, which is not a folder',
    async (folder) => {
      expect(await refusal({ DATA_DIR: folder })).toContain(`${folder}: not a folder (see DATA_DIR)`);
    },
  );

  it.each([
    ['PORT', 'eighty'],
    ['WEBHOOK_RETRY_DELAYS', 'soon'],
    ['SECRETS_KEY', 'short'],
  ])('names %s if its value is %s', async (name, value) => {
    expect(await refusal({ [name]: value })).toContain(name);
  });
});

describe('npm run listen', () => {
  const listen = (...args: string[]): Tool =>
    remember(new Tool([process.execPath, 'tools/counterfoil.mjs', 'listen', ...args], surroundings.env));

  it('prints an event of the service of this folder with the result of its signature check', async () => {
    await startAgain();
    const listener = listen();
    await listener.prints('signing secret');
    await client.issueInvoice();
    await listener.prints('signature ok');
    expect(listener.stdout).toMatch(/document\.created .*TAX_INVOICE 1 118 ILS  signature ok/);
    listener.pressCtrlC();
    expect(await listener.exited).toBe(130);
    expect(await client.call('GET', '/webhooks')).toMatchObject({ data: [] });
  });

  it('prints one line if the service is not running or does not know the key', async () => {
    const tooEarly = listen();
    expect(await tooEarly.exited).toBe(4);
    expect(tooEarly.stderr.trim().split('\n')).toHaveLength(1);

    await startAgain();
    const stranger = listen('--key', 'sk_test_wrong');
    expect(await stranger.exited).toBe(4);
    expect(stranger.stderr).toMatch(/does not accept this key/);
  });
});

describe('npm run admin', () => {
  const admin = (...args: string[]): Tool =>
    remember(new Tool([process.execPath, 'tools/admin.mjs', ...args], surroundings.env));

  it('works before the first start, beside a running service, and after it', async () => {
    for (const running of [false, true, false]) {
      const service = running ? await startUntilReady() : null;
      const command = admin('company:create', '--name', 'Acme');
      expect(await command.exited).toBe(0);
      expect(Object.keys(JSON.parse(command.stdout) as object)).toEqual(['companyId', 'userId', 'ownerKey']);
      if (service) expect(await client.documentCount()).toBe(0);
      service?.pressCtrlC();
      await service?.exited;
      expect(fs.existsSync(`${surroundings.dataDir}/postgres/postmaster.pid`)).toBe(false);
    }
  });

  it('passes on a failure of the command with its one line', async () => {
    const command = admin('company:create');
    expect(await command.exited).toBe(1);
    expect(command.stdout).toBe('');
    expect(command.stderr.trim().split('\n')).toHaveLength(1);
  });
});
