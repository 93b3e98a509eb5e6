import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_KEY, until } from '@counterfoil/test-harness';
import { StartClient } from './start-client';
import { cleanUp, isAlive, newSurroundings, start, type Surroundings, type Tool } from './start-service';
import { mountDisk, unmountDisk, whereItMayMount } from './test-disk';

const DISK = 'size=250m';
const FULL_MS = 20_000;
const BACK_WITHIN_MS = 30_000;
const WAITS_MS = 8_000;
const ROOM_BYTES = 14 * 1024 * 1024;
/** Enough for PostgreSQL to start, with its log in segments of 16 MiB. */
const START_ROOM_BYTES = 40 * 1024 * 1024;
const CHUNK = Buffer.alloc(1024 * 1024, 1);

/** Fills the disk to the last block. */
function fill(file: string): void {
  const open = fs.openSync(file, 'a');
  for (let bytes = CHUNK.length; bytes >= 1;) {
    try {
      fs.writeSync(open, CHUNK, 0, bytes);
    } catch {
      bytes = Math.floor(bytes / 2);
    }
  }
  fs.closeSync(open);
}

interface Written {
  readonly status: number;
  readonly number: number | null;
}

async function issue(port: number, entityId: number): Promise<Written> {
  // Incompressible texts, so that each document takes much space in PostgreSQL's log.
  const items = Array.from({ length: 100 }, () => ({
    ...{ description: randomBytes(240).toString('base64'), quantity: 1, unitPrice: 1 },
  }));
  const response = await fetch(`http://127.0.0.1:${port}/documents/create/TAX_INVOICE`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ entityId, items }),
  });
  const { number = null } = (await response.json()) as { number?: number };
  return { status: response.status, number };
}

async function upload(port: number): Promise<number> {
  const form = new FormData();
  form.append('file', new Blob([CHUNK]), 'receipt');
  const headers = { authorization: `Bearer ${DEMO_KEY}` };
  return (await fetch(`http://127.0.0.1:${port}/files/upload`, { method: 'POST', headers, body: form }))
    .status;
}

/** Kills the server of a data folder, so that it leaves its log unfinished. */
function killPostgres(dataDir: string): void {
  const [pid = ''] = fs.readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGKILL');
}

const filesIn = (folder: string): string[] =>
  fs.existsSync(folder)
    ? fs
        .readdirSync(folder, { recursive: true, withFileTypes: true })
        .flatMap((entry) => (entry.isFile() ? [entry.name] : []))
    : [];

whereItMayMount('npm start on a disk that is full', () => {
  let surroundings: Surroundings;
  let tools: Tool[];

  beforeEach(async () => {
    surroundings = await newSurroundings();
    tools = [];
    fs.mkdirSync(surroundings.dataDir, { mode: 0o711 });
    mountDisk(surroundings.dataDir, DISK);
  });
  afterEach(async () => {
    for (const tool of tools) if (isAlive(tool.pid)) tool.kill('SIGTERM');
    await Promise.all(tools.map((tool) => tool.exited));
    unmountDisk(surroundings.dataDir);
    await cleanUp(surroundings, tools);
  });

  const begin = (env: Readonly<Record<string, string>> = {}): Tool => {
    const tool = start(surroundings, env);
    tools.push(tool);
    return tool;
  };

  it('exits with the reason when it is full at the first start, and starts after space is freed', async () => {
    const ballast = path.join(surroundings.dataDir, 'ballast');
    fill(ballast);
    const first = begin();
    expect(await first.exited).toBe(1);
    expect(first.stderr).toBe('the disk is full\n');
    fs.rmSync(ballast);
    await begin().prints('Ready in');
  }, 240_000);

  it.each([
    ['to the last byte', 0],
    ['but for small files', 256 * 1024],
    ["but for less than PostgreSQL's log needs", ROOM_BYTES],
  ])(
    'waits when it is full %s at the start of a service with data, and starts when space is freed',
    async (_, roomBytes) => {
      const { dataDir, port } = surroundings;
      const ballast = path.join(dataDir, 'ballast');
      const former = begin();
      await former.prints('Ready in');
      const acme = { name: 'Acme', type: 'COMPANY', taxId: '511111118' };
      const { clientId } = await new StartClient(surroundings).call<{ clientId: number }>(
        'POST',
        '/clients/create',
        acme,
      );
      // PostgreSQL has to recover from its log at the next start.
      process.kill(former.pid, 'SIGKILL');
      await former.exited;
      killPostgres(dataDir);

      fill(ballast);
      fs.truncateSync(ballast, fs.statSync(ballast).size - roomBytes);
      const tool = begin();
      await sleep(WAITS_MS);
      expect(isAlive(tool.pid)).toBe(true);
      expect(tool.stdout).not.toContain('Ready in');
      fs.rmSync(ballast);
      const freed = Date.now();
      await tool.prints('Ready in');
      const { status } = await issue(port, clientId);
      expect(status).toBe(201);
      expect(Date.now() - freed).toBeLessThan(BACK_WITHIN_MS);
      if (roomBytes === 0) expect(tool.stdout.split('for space on the disk of')).toHaveLength(2);
      tool.pressCtrlC();
      expect(await tool.exited).toBe(0);
    },
    240_000,
  );

  it('refuses a second start, and a wrong password, although it is full', async () => {
    const { dataDir } = surroundings;
    const ballast = path.join(dataDir, 'ballast');
    const service = begin();
    await service.prints('Ready in');
    fill(ballast);
    const second = begin();
    expect(await second.exited).toBe(1);
    expect(second.stderr).toContain('Counterfoil is already running');
    fs.truncateSync(ballast, fs.statSync(ballast).size - START_ROOM_BYTES);
    const third = begin();
    expect(await third.exited).toBe(1);
    expect(third.stderr).toContain('Counterfoil is already running');

    service.pressCtrlC();
    expect(await service.exited).toBe(0);
    fs.writeFileSync(path.join(dataDir, 'postgres.password'), 'wrong\n');
    const locked = begin();
    expect(await locked.exited).toBe(1);
    expect(locked.stderr).toContain('postgres.password is not the password of');
  }, 240_000);

  it('waits when there is no space for a new demo key', async () => {
    const { dataDir } = surroundings;
    const former = begin();
    await former.prints('Ready in');
    former.pressCtrlC();
    expect(await former.exited).toBe(0);
    const ballast = path.join(dataDir, 'ballast');
    fill(ballast);
    // One page for the only file that is written before the key: the lock.
    fs.truncateSync(ballast, fs.statSync(ballast).size - 4096);
    const tool = begin({ HOST: '0.0.0.0' });
    await tool.prints('waiting    for space on the disk of');
    await sleep(WAITS_MS);
    expect(isAlive(tool.pid)).toBe(true);
    expect(fs.existsSync(path.join(dataDir, 'lock.json'))).toBe(true);
    expect(fs.existsSync(path.join(dataDir, 'demo-owner.key'))).toBe(false);
    fs.rmSync(ballast);
    await tool.prints('Ready in');
  }, 240_000);

  it('answers 503 until space is freed, and then works again, whatever had stopped', async () => {
    const { dataDir, port } = surroundings;
    const tool = begin();
    await tool.prints('Ready in');
    const client = new StartClient(surroundings);
    const acme = { name: 'Acme', type: 'COMPANY', taxId: '511111118' };
    const { clientId } = await client.call<{ clientId: number }>('POST', '/clients/create', acme);
    const acknowledged: (number | null)[] = [];
    acknowledged.push((await issue(port, clientId)).number);

    const ballast = path.join(dataDir, 'ballast');
    fill(ballast);
    expect(await upload(port)).toBe(503);
    expect(filesIn(path.join(dataDir, 'files'))).toEqual([]);
    // Leaves room for small writes, but not for another log segment, so PostgreSQL stops.
    fs.truncateSync(ballast, fs.statSync(ballast).size - ROOM_BYTES);
    const statuses = new Map<number, number>();
    const end = Date.now() + FULL_MS;
    while (Date.now() < end) {
      if (end - Date.now() < FULL_MS / 2) fill(ballast);
      const written = await Promise.all(Array.from({ length: 8 }, () => issue(port, clientId)));
      for (const { status, number } of written) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 201) acknowledged.push(number);
        else await sleep(20);
      }
    }
    expect([...statuses.keys()].filter((status) => ![201, 503].includes(status))).toEqual([]);
    expect(statuses.get(503)).toBeGreaterThan(0);
    expect(await upload(port)).toBe(503);
    expect(filesIn(path.join(dataDir, 'files'))).toEqual([]);
    expect(tool.stdout).toContain('PostgreSQL does not start, and is tried again until it does');
    expect(isAlive(tool.pid)).toBe(true);

    fs.rmSync(ballast);
    const back = await until(
      'writes again',
      async () => {
        const { status, number } = await issue(port, clientId).catch(() => ({ status: 0, number: null }));
        return status === 201 && number;
      },
      BACK_WITHIN_MS,
    );
    acknowledged.push(back);
    expect(await upload(port)).toBe(201);
    // No acknowledged document is lost, and no number is used twice.
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    expect(await client.documentCount()).toBeGreaterThanOrEqual(acknowledged.length);
    tool.pressCtrlC();
    expect(await tool.exited).toBe(0);
  }, 240_000);
});
