import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ReaderProcess, type ReaderProcessOptions } from './reader-process';
import type { ReadRequest } from './protocol';

const MIB = 1024 * 1024;
const COMPILED = path.resolve(__dirname, '../../../../dist/libs/receipt-reader/src/process');
/** Performs the instructions in the text that it is sent; time and memory are watched as in the reader itself. */
const MAIN = `
  const { Worker } = require('node:worker_threads');
  const settings = JSON.parse(process.argv[2]);
  new Worker(${JSON.stringify(path.join(COMPILED, 'watch.js'))}, { workerData: settings }).unref();
  process.on('disconnect', () => process.exit(0));
  const hoard = [];
  const deeds = {
    hang: () => { for (;;); },
    eat: () => { for (;;) hoard.push(Buffer.alloc(16 * 1024 * 1024, 1)); },
    heap: () => { for (;;) hoard.push({ a: [hoard.length] }); },
    exit: () => process.exit(3),
    // As where the processor is elsewhere for most of the time.
    'now and then': () => {
      for (let time = 0; time < 6; time++) {
        const begun = process.cpuUsage();
        const used = () => Object.values(process.cpuUsage(begun)).reduce((all, part) => all + part);
        while (used() < 30_000);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 170);
      }
      return 'done';
    },
    speak: () => { console.error('about to fail'); process.exit(4); },
    secrets: () => Object.keys(process.env).join(','),
  };
  const junk = [null, 7, 'ready', [], { number: 1 }, { answer: {} }, { number: 1, answer: { kind: 'read' } }];
  process.on('message', ({ number, request }) => {
    const text = Buffer.from(request.bytes).toString();
    if (text.startsWith('junk')) return process.send(junk[Number(text.slice(4))]);
    const said = deeds[text] ? deeds[text]() : text;
    process.send({ number, answer: { kind: 'failed', message: said } });
  });
`;

const asked = (text: string): ReadRequest => ({
  bytes: Buffer.from(text),
  saidAs: null,
  today: '2026-11-22',
  recognise: true,
  withText: false,
});

describe('a process of the reader', () => {
  let folder: string;
  let main: string;
  let started: ReaderProcess[] = [];

  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-reader-'));
    main = path.join(folder, 'main.js');
    fs.writeFileSync(main, MAIN);
  });
  afterEach(() => {
    for (const reader of started) reader.stop();
    started = [];
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  function given(options: Partial<ReaderProcessOptions> = {}): ReaderProcess {
    const { timeoutMs = 5_000 } = options;
    const limits = {
      timeoutMs,
      blameCpuMs: timeoutMs / 2,
      memoryMaxBytes: 512 * MIB,
      idleMs: 60_000,
      niceness: 0,
    };
    const reader = new ReaderProcess({ ...limits, main, ...options });
    started.push(reader);
    return reader;
  }

  const isThere = (pid: number) => {
    try {
      return !/^(Z|$)/.test(
        execFileSync('ps', ['-o', 'stat=', '-p', String(pid)])
          .toString()
          .trim(),
      );
    } catch {
      return false;
    }
  };

  it('answers in the order in which it is asked, in one process', async () => {
    const reader = given();
    const answers = ['a', 'b', 'c'].map((text) => reader.read(1, asked(text)));
    expect(await Promise.all(answers)).toEqual(
      ['a', 'b', 'c'].map((message) => ({ kind: 'failed', message })),
    );
    const { pid } = reader;
    await reader.read(1, asked('d'));
    expect(reader.pid).toBe(pid);
  });

  it('is ended when it says what none of ours says, and the next document gets a new one', async () => {
    const reader = given();
    for (const index of [0, 1, 2, 3, 4, 5, 6])
      await expect(reader.read(1, asked(`junk${index}`))).rejects.toMatchObject({ loss: 'crash' });
    expect(await reader.read(1, asked('a'))).toEqual({ kind: 'failed', message: 'a' });
  });

  it('takes its owners in turn', async () => {
    const reader = given();
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

  it('takes those who go last when nobody else waits, in turn among themselves', async () => {
    const reader = given({ goesLast: (owner) => owner < 3 });
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

  it('gives back what is withdrawn while it waits, and reads on what it has begun', async () => {
    const reader = given();
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

  it('is given more time for a document where the machine is busy, and not where the document is', async () => {
    const reader = given({ timeoutMs: 1_000, blameCpuMs: 900 });
    await reader.read(1, asked('before'));
    const { pid } = reader;
    const started = performance.now();
    expect(await reader.read(1, asked('now and then'))).toMatchObject({ kind: 'failed' });
    expect(performance.now() - started).toBeGreaterThan(1_000);
    expect(reader.pid).toBe(pid);
    await expect(reader.read(1, asked('hang'))).rejects.toMatchObject({ loss: 'time' });
  });

  it('is lost where it does nothing, which is not the fault of the document', async () => {
    const reader = given({ timeoutMs: 400 });
    await reader.read(1, asked('before'));
    process.kill(reader.pid!, 'SIGSTOP');
    await expect(reader.read(1, asked('a'))).rejects.toMatchObject({ loss: 'stalled' });
    expect(await reader.read(1, asked('b'))).toMatchObject({ message: 'b' });
  });

  it('takes no time of a document for its own start', async () => {
    const slow = path.join(folder, 'slow.js');
    fs.writeFileSync(
      slow,
      `const until = Date.now() + 1500; while (Date.now() < until); ${MAIN} process.send({ ready: true });`,
    );
    const reader = given({ main: slow, timeoutMs: 1_000 });
    const took: number[] = [];
    const onEnd = ({ ms }: { ms: number }) => took.push(ms);
    expect(await reader.read(1, asked('a'), { onEnd })).toMatchObject({ message: 'a' });
    expect(took[0]).toBeLessThan(1_000);
    await expect(reader.read(1, asked('hang'))).rejects.toMatchObject({ loss: 'time' });
  });

  it('is lost where no process can be started, and comes back', async () => {
    const reader = given({ main: path.join(folder, 'nothing-here.js') });
    const lost = [reader.read(1, asked('a')), reader.read(2, asked('b'))];
    for (const each of lost) await expect(each).rejects.toMatchObject({ loss: 'away' });
    const starved = `
      const { ReaderProcess } = require(${JSON.stringify(path.join(COMPILED, 'reader-process.js'))});
      const reader = new ReaderProcess({ timeoutMs: 5000, blameCpuMs: 4500, memoryMaxBytes: 1e9, idleMs: 60000, niceness: 0, main: ${JSON.stringify(main)} });
      const asked = (text) => ({ bytes: Buffer.from(text), saidAs: null, today: '', recognise: true });
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

  it.each([
    ['hang', 'time', 400],
    ['eat', 'crash', 5_000],
    ['heap', 'crash', 20_000],
    ['exit', 'crash', 5_000],
  ] as const)(
    'is lost to a document that makes it %s, and the next is read',
    async (deed, loss, timeoutMs) => {
      // A busy machine gives it little of the processor.
      const reader = given({ timeoutMs, blameCpuMs: timeoutMs / 8, memoryMaxBytes: 300 * MIB });
      await reader.read(1, asked('before'));
      const pid = reader.pid!;
      const lost = reader.read(1, asked(deed));
      const next = reader.read(1, asked('after'));
      await expect(lost).rejects.toMatchObject({ loss });
      expect(await next).toMatchObject({ message: 'after' });
      expect(isThere(pid)).toBe(false);
      expect(reader.pid).not.toBe(pid);
    },
    30_000,
  );

  it('tells what the process said before it was lost', async () => {
    await expect(given().read(1, asked('speak'))).rejects.toMatchObject({ told: 'about to fail\n' });
  });

  it('gets none of our environment', async () => {
    expect(await given().read(1, asked('secrets'))).toMatchObject({
      message: expect.not.stringMatching(/PATH|HOME/),
    });
  });

  it('ends when it has nothing to do, and comes back', async () => {
    const reader = given({ idleMs: 100 });
    await reader.read(1, asked('a'));
    const pid = reader.pid!;
    await sleep(500);
    expect(isThere(pid)).toBe(false);
    expect(await reader.read(1, asked('b'))).toMatchObject({ message: 'b' });
  });

  it('refuses what comes after it was stopped, and what was waiting', async () => {
    const reader = given();
    const under = reader.read(1, asked('hang'));
    const waiting = reader.read(1, asked('a'));
    reader.stop();
    for (const each of [under, waiting, reader.read(1, asked('b'))]) {
      await expect(each).rejects.toMatchObject({ loss: 'stopped' });
    }
  });

  it('gives way to others where it is told to', async () => {
    const reader = given({ niceness: 10 });
    await reader.read(1, asked('a'));
    expect(os.getPriority(reader.pid)).toBe(10);
    // If the system shares the processor between sessions, the process has a session of its own.
    const session = `/proc/${reader.pid}/autogroup`;
    if (fs.existsSync(session)) expect(fs.readFileSync(session, 'utf8')).toMatch(/ nice 10$/m);
  });

  it('ends itself when whoever asked is gone, whatever it is doing', async () => {
    const script = `
      const { ReaderProcess } = require(${JSON.stringify(path.join(COMPILED, 'reader-process.js'))});
      const reader = new ReaderProcess({ timeoutMs: 60000, blameCpuMs: 54000, memoryMaxBytes: 1e9, idleMs: 60000, niceness: 0, main: ${JSON.stringify(main)} });
      const asked = (text) => ({ bytes: Buffer.from(text), saidAs: null, today: '', recognise: true });
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
    while (isThere(pid) && Date.now() < deadline) await sleep(50);
    expect(isThere(pid)).toBe(false);
  });
});
