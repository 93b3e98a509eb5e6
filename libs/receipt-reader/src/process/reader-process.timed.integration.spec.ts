import fs from 'node:fs';
import path from 'node:path';
import { asked, isRunning, MAIN, MIB, ObedientReaders } from '../testing/obedient-readers';

describe('a reader process', () => {
  let readers: ObedientReaders;

  beforeAll(() => {
    readers = new ObedientReaders();
  });
  afterEach(() => readers.stopAll());
  afterAll(() => readers.removeFolder());

  it('gets more time for a document on a busy machine, but not for a slow document', async () => {
    const reader = readers.start({ timeoutMs: 1_000, blameCpuMs: 900 });
    await reader.read(1, asked('before'));
    const { pid } = reader;
    const started = performance.now();
    expect(await reader.read(1, asked('now and then'))).toMatchObject({ kind: 'failed' });
    expect(performance.now() - started).toBeGreaterThan(1_000);
    expect(reader.pid).toBe(pid);
    await expect(reader.read(1, asked('hang'))).rejects.toMatchObject({ loss: 'time' });
  });

  it('is lost if it is idle, which does not blame the document', async () => {
    const reader = readers.start({ timeoutMs: 400 });
    await reader.read(1, asked('before'));
    process.kill(reader.pid!, 'SIGSTOP');
    await expect(reader.read(1, asked('a'))).rejects.toMatchObject({ loss: 'stalled' });
    expect(await reader.read(1, asked('b'))).toMatchObject({ message: 'b' });
  });

  it('does not count its start as time of the document', async () => {
    const slow = path.join(readers.folder, 'slow.js');
    fs.writeFileSync(
      slow,
      `const until = Date.now() + 1500; while (Date.now() < until); ${MAIN} process.send({ ready: true });`,
    );
    const reader = readers.start({ main: slow, timeoutMs: 1_000 });
    const took: number[] = [];
    const onEnd = ({ ms }: { ms: number }) => took.push(ms);
    expect(await reader.read(1, asked('a'), { onEnd })).toMatchObject({ message: 'a' });
    expect(took[0]).toBeLessThan(1_000);
    await expect(reader.read(1, asked('hang'))).rejects.toMatchObject({ loss: 'time' });
  });

  it.each([
    ['hang', 'time', 400],
    ['eat', 'crash', 5_000],
    ['heap', 'crash', 20_000],
    ['exit', 'crash', 5_000],
  ] as const)(
    'is lost to a document that makes it %s, and the next is read',
    async (deed, loss, timeoutMs) => {
      const reader = readers.start({ timeoutMs, blameCpuMs: timeoutMs / 8, memoryMaxBytes: 300 * MIB });
      await reader.read(1, asked('before'));
      const pid = reader.pid!;
      const lost = reader.read(1, asked(deed));
      const next = reader.read(1, asked('after'));
      await expect(lost).rejects.toMatchObject({ loss });
      expect(await next).toMatchObject({ message: 'after' });
      expect(isRunning(pid)).toBe(false);
      expect(reader.pid).not.toBe(pid);
    },
    30_000,
  );
});
