import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { asked, COMPILED, isRunning, MIB, ObedientReaders, PART } from '../testing/obedient-readers';

describe('a reader process', () => {
  let readers: ObedientReaders;

  beforeAll(() => {
    readers = new ObedientReaders();
  });
  afterEach(() => readers.stopAll());
  afterAll(() => readers.removeFolder());

  it('answers in order, in one process', async () => {
    const reader = readers.start();
    const answers = ['a', 'b', 'c'].map((text) => reader.read(1, asked(text)));
    expect(await Promise.all(answers)).toEqual(
      ['a', 'b', 'c'].map((message) => ({ kind: 'failed', message })),
    );
    const { pid } = reader;
    await reader.read(1, asked('d'));
    expect(reader.pid).toBe(pid);
  });

  it('is replaced after a document that leaves it near its limit of memory', async () => {
    const reader = readers.start({ memoryMaxBytes: 512 * MIB });
    await reader.read(1, asked('keep'));
    const { pid } = reader;
    const answers = ['keep', 'a', 'b'].map((text) => reader.read(1, asked(text)));
    expect(await Promise.all(answers)).toEqual(
      ['kept', 'a', 'b'].map((message) => ({ kind: 'failed', message })),
    );
    expect(reader.pid).not.toBe(pid);
    expect(isRunning(pid!)).toBe(false);
  });

  it('is ended after an invalid message, and the next document gets a new one', async () => {
    const reader = readers.start();
    for (const index of [0, 1, 2, 3, 4, 5, 6])
      await expect(reader.read(1, asked(`junk${index}`))).rejects.toMatchObject({ loss: 'crash' });
    expect(await reader.read(1, asked('a'))).toEqual({ kind: 'failed', message: 'a' });
  });

  it.each([
    ['hang', 'time', 5_000],
    ['exit', 'crash', 10_000],
    ['heap', 'crash', 60_000],
  ] as const)(
    'keeps the pages that were read when it is lost later: %s',
    async (deed, loss, timeoutMs) => {
      // So little processor time that the process gets it on a busy machine too.
      const blameCpuMs = deed === 'hang' ? 50 : 60_000;
      const reader = readers.start({ timeoutMs, blameCpuMs, memoryMaxBytes: 2_048 * MIB });
      // The time of a document starts when the process is ready.
      await reader.read(1, asked('a'));
      const ends: unknown[] = [];
      const read = reader.read(1, asked(`part ${deed}`), { onEnd: (end) => ends.push(end) });
      await expect(read).rejects.toMatchObject({ loss, part: PART });
      expect(ends).toEqual([expect.objectContaining({ loss })]);
      expect(await reader.read(1, asked('a'))).toEqual({ kind: 'failed', message: 'a' });
    },
    200_000,
  );

  it('prefers the whole document to its part, and has no part of the document before', async () => {
    const reader = readers.start();
    expect(await reader.read(1, asked('part a'))).toEqual({ kind: 'failed', message: 'a' });
    await expect(reader.read(1, asked('exit'))).rejects.toMatchObject({ loss: 'crash', part: undefined });
  });

  it('takes owners in turn', async () => {
    const reader = readers.start();
    const order: string[] = [];
    const documents = [
      [1, 'a1'],
      [1, 'a2'],
      [1, 'a3'],
      [2, 'b1'],
      [3, 'c1'],
      [2, 'b2'],
    ] as const;
    await Promise.all(
      documents.map(([owner, text]) => reader.read(owner, asked(text)).then(() => order.push(text))),
    );
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('reads deprioritised owners when no other waits, in turn', async () => {
    const reader = readers.start({ goesLast: (owner) => owner < 3 });
    const order: string[] = [];
    const documents = [
      [3, 'c1'],
      [1, 'a1'],
      [1, 'a2'],
      [2, 'b1'],
      [3, 'c2'],
      [4, 'd1'],
    ] as const;
    await Promise.all(
      documents.map(([owner, text]) => reader.read(owner, asked(text)).then(() => order.push(text))),
    );
    expect(order).toEqual(['c1', 'd1', 'c2', 'a1', 'b1', 'a2']);
  });

  it('returns withdrawn waiting documents, and finishes the started one', async () => {
    const reader = readers.start();
    const callers = [new AbortController(), new AbortController(), new AbortController()] as const;
    const [first, second, third] = callers.map(({ signal }, index) =>
      reader.read(1, asked(`a${index}`), { signal }),
    );
    for (const caller of callers.slice(0, 2)) caller.abort();
    await expect(second).rejects.toMatchObject({ loss: 'withdrawn' });
    expect(await first).toMatchObject({ message: 'a0' });
    expect(await third).toMatchObject({ message: 'a2' });
    await expect(reader.read(1, asked('late'), { signal: callers[0].signal })).rejects.toMatchObject({
      loss: 'withdrawn',
    });
  });

  it('is lost if no process can be started, and recovers', async () => {
    const reader = readers.start({ main: path.join(readers.folder, 'nothing-here.js') });
    const lost = [reader.read(1, asked('a')), reader.read(2, asked('b'))];
    for (const each of lost) await expect(each).rejects.toMatchObject({ loss: 'away' });
    const starved = `
      const { ReaderProcess } = require(${JSON.stringify(path.join(COMPILED, 'reader-process.js'))});
      const reader = new ReaderProcess({ timeoutMs: 5000, blameCpuMs: 4500, memoryMaxBytes: 1e9, idleMs: 60000, niceness: 0, main: ${JSON.stringify(readers.main)} });
      const asked = (text) => ({ bytes: Buffer.from(text), declaredKind: null, today: '', recognise: true });
      const open = [];
      try { for (;;) open.push(require('node:fs').openSync('/dev/null')); } catch {}
      Promise.allSettled([reader.read(1, asked('a')), reader.read(2, asked('b'))]).then((lost) => {
        for (const file of open) require('node:fs').closeSync(file);
        return reader.read(1, asked('c')).then(({ message }) => {
          console.log(lost.map(({ reason }) => reason.loss).join(), message);
          reader.stop();
        });
      });`;
    expect(
      execFileSync('bash', ['-c', 'ulimit -n 64; exec "$0" -e "$1"', process.execPath, starved]).toString(),
    ).toBe('away,away c\n');
  });

  it('reports the last output of a lost process', async () => {
    await expect(readers.start().read(1, asked('speak'))).rejects.toMatchObject({ told: 'about to fail\n' });
  });

  it('does not inherit the environment', async () => {
    expect(await readers.start().read(1, asked('secrets'))).toMatchObject({
      message: expect.not.stringMatching(/PATH|HOME/),
    });
  });

  it('ends when it is idle, and starts again', async () => {
    const reader = readers.start({ idleMs: 100 });
    await reader.read(1, asked('a'));
    const pid = reader.pid!;
    await sleep(500);
    expect(isRunning(pid)).toBe(false);
    expect(await reader.read(1, asked('b'))).toMatchObject({ message: 'b' });
  });

  it('refuses documents after it was stopped, and waiting ones', async () => {
    const reader = readers.start();
    const under = reader.read(1, asked('hang'));
    const waiting = reader.read(1, asked('a'));
    reader.stop();
    for (const each of [under, waiting, reader.read(1, asked('b'))]) {
      await expect(each).rejects.toMatchObject({ loss: 'stopped' });
    }
  });

  it('runs with a low priority if configured', async () => {
    const reader = readers.start({ niceness: 10 });
    await reader.read(1, asked('a'));
    expect(os.getPriority(reader.pid)).toBe(10);
    // If the system shares the processor between sessions, the process has a session of its own.
    const session = `/proc/${reader.pid}/autogroup`;
    if (fs.existsSync(session)) expect(fs.readFileSync(session, 'utf8')).toMatch(/ nice 10$/m);
  });

  it('ends itself when its parent is gone, whatever it is doing', async () => {
    const script = `
      const { ReaderProcess } = require(${JSON.stringify(path.join(COMPILED, 'reader-process.js'))});
      const reader = new ReaderProcess({ timeoutMs: 60000, blameCpuMs: 54000, memoryMaxBytes: 1e9, idleMs: 60000, niceness: 0, main: ${JSON.stringify(readers.main)} });
      const asked = (text) => ({ bytes: Buffer.from(text), declaredKind: null, today: '', recognise: true });
      reader.read(1, asked('a')).then(() => {
        process.stdout.write(String(reader.pid));
        void reader.read(1, asked('hang'));
        setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300);
      });`;
    let printed = '';
    try {
      execFileSync(process.execPath, ['-e', script]);
    } catch (error) {
      printed = String((error as { stdout: Buffer }).stdout);
    }
    const pid = Number(printed);
    expect(pid).toBeGreaterThan(0);
    const deadline = Date.now() + 5_000;
    while (isRunning(pid) && Date.now() < deadline) await sleep(50);
    expect(isRunning(pid)).toBe(false);
  });
});
