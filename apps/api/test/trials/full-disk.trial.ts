import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DiskSite } from '../disk-site';
import { isAlive } from '../start-service';
import { whereItMayMount } from '../test-disk';

const BACK_WITHIN_MS = 30_000;
const WAITS_MS = 8_000;
/** Enough for PostgreSQL to start, with its log in segments of 16 MiB. */
const START_ROOM_BYTES = 40 * 1024 * 1024;

const LEVELS = [
  ['to the last byte', 0],
  ['but for small files', 256 * 1024],
  ["but for less than PostgreSQL's log needs", 14 * 1024 * 1024],
] as const;

whereItMayMount('npm start with data on a disk that is full', () => {
  let site: DiskSite;

  beforeEach(async () => {
    site = await DiskSite.create();
  });
  afterEach(() => site.close());

  it.each(LEVELS)(
    'waits when it is full %s, and starts when space is freed',
    async (_, roomBytes) => {
      const clientId = await site.startAndKill();
      site.fill(roomBytes);
      const tool = site.start();
      await sleep(WAITS_MS);
      expect(isAlive(tool.pid)).toBe(true);
      expect(tool.stdout).not.toContain('Ready in');
      site.free();
      const freed = Date.now();
      await tool.prints('Ready in');
      const { status } = await site.issue(clientId);
      expect(status).toBe(201);
      expect(Date.now() - freed).toBeLessThan(BACK_WITHIN_MS);
      if (roomBytes === 0) expect(tool.stdout.split('for space on the disk of')).toHaveLength(2);
      tool.pressCtrlC();
      expect(await tool.exited).toBe(0);
    },
    240_000,
  );

  it('refuses a second start, and a wrong password, although it is full', async () => {
    const service = site.start();
    await service.prints('Ready in');
    site.fill();
    const second = site.start();
    expect(await second.exited).toBe(1);
    expect(second.stderr).toContain('Counterfoil is already running');
    site.fill(START_ROOM_BYTES);
    const third = site.start();
    expect(await third.exited).toBe(1);
    expect(third.stderr).toContain('Counterfoil is already running');

    service.pressCtrlC();
    expect(await service.exited).toBe(0);
    fs.writeFileSync(path.join(site.dataDir, 'postgres.password'), 'wrong\n');
    const locked = site.start();
    expect(await locked.exited).toBe(1);
    expect(locked.stderr).toContain('postgres.password is not the password of');
  }, 240_000);

  it('waits when there is no space for a new demo key', async () => {
    const former = site.start();
    await former.prints('Ready in');
    former.pressCtrlC();
    expect(await former.exited).toBe(0);
    // One page for the only file that is written before the key: the lock.
    site.fill(4096);
    const tool = site.start({ HOST: '0.0.0.0' });
    await tool.prints('waiting    for space on the disk of');
    await sleep(WAITS_MS);
    expect(isAlive(tool.pid)).toBe(true);
    expect(fs.existsSync(path.join(site.dataDir, 'lock.json'))).toBe(true);
    expect(fs.existsSync(path.join(site.dataDir, 'demo-owner.key'))).toBe(false);
    site.free();
    await tool.prints('Ready in');
  }, 240_000);
});
