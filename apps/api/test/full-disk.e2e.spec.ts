import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_KEY, until } from '@counterfoil/test-harness';
import { CHUNK, DiskSite } from './disk-site';
import { isAlive } from './start-service';
import { whereItMayMount } from './test-disk';

const FULL_MS = 20_000;
const BACK_WITHIN_MS = 30_000;
const ROOM_BYTES = 14 * 1024 * 1024;

async function upload(url: string): Promise<number> {
  const form = new FormData();
  form.append('file', new Blob([CHUNK]), 'receipt');
  const headers = { authorization: `Bearer ${DEMO_KEY}` };
  return (await fetch(`${url}/files/upload`, { method: 'POST', headers, body: form })).status;
}

const filesIn = (folder: string): string[] =>
  fs.existsSync(folder)
    ? fs
        .readdirSync(folder, { recursive: true, withFileTypes: true })
        .flatMap((entry) => (entry.isFile() ? [entry.name] : []))
    : [];

whereItMayMount('npm start on a disk that is full', () => {
  let site: DiskSite;

  beforeEach(async () => {
    site = await DiskSite.create();
  });
  afterEach(() => site.close());

  it('exits with the reason when it is full at the first start, and starts after space is freed', async () => {
    site.fill();
    const first = site.start();
    expect(await first.exited).toBe(1);
    expect(first.stderr).toBe('the disk is full\n');
    site.free();
    await site.start().prints('Ready in');
  }, 240_000);

  it('answers 503 until space is freed, and then works again, whatever had stopped', async () => {
    const tool = site.start();
    await tool.prints('Ready in');
    const clientId = await site.createClient();
    const acknowledged: (number | null)[] = [];
    acknowledged.push((await site.issue(clientId)).number);

    const files = path.join(site.dataDir, 'files');
    site.fill();
    expect(await upload(site.url)).toBe(503);
    expect(filesIn(files)).toEqual([]);
    // Leaves room for small writes, but not for another log segment, so PostgreSQL stops.
    site.fill(ROOM_BYTES);
    const statuses = new Map<number, number>();
    const end = Date.now() + FULL_MS;
    while (Date.now() < end) {
      if (end - Date.now() < FULL_MS / 2) site.fill();
      const written = await Promise.all(Array.from({ length: 8 }, () => site.issue(clientId)));
      for (const { status, number } of written) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 201) acknowledged.push(number);
        else await sleep(20);
      }
    }
    expect([...statuses.keys()].filter((status) => ![201, 503].includes(status))).toEqual([]);
    expect(statuses.get(503)).toBeGreaterThan(0);
    expect(await upload(site.url)).toBe(503);
    expect(filesIn(files)).toEqual([]);
    expect(tool.stdout).toContain('PostgreSQL does not start, and is tried again until it does');
    expect(isAlive(tool.pid)).toBe(true);

    site.free();
    const back = await until(
      'writes again',
      async () => {
        const { status, number } = await site.issue(clientId).catch(() => ({ status: 0, number: null }));
        return status === 201 && number;
      },
      BACK_WITHIN_MS,
    );
    acknowledged.push(back);
    expect(await upload(site.url)).toBe(201);
    // No acknowledged document is lost, and no number is used twice.
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    expect(await site.client.documentCount()).toBeGreaterThanOrEqual(acknowledged.length);
    tool.pressCtrlC();
    expect(await tool.exited).toBe(0);
  }, 240_000);
});
