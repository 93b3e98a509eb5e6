import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { slowPdf, until } from '@counterfoil/test-harness';
import type { ReaderProcess } from './reader-process';
import type { ReceiptProcesses } from './receipt-processes';
import { NO_SANDBOX } from './sandbox';

// The compiled module: it starts processes of compiled files.
const compiled = createRequire(
  path.resolve(__dirname, '../../../../dist/libs/receipt-reader/src/process/receipt-processes.js'),
)('./receipt-processes.js') as { ReceiptProcesses: typeof ReceiptProcesses };

const TIMEOUT_MS = 20_000;
const TEXT_MS = 3_000;
/** The reasons why a text is abandoned that gets too little processor time, or uses too much. */
const LATE = /^(time|stalled)$/;
const HOSTILE = 1;
const OTHER = 2;

const SLOW = slowPdf();
/** A slow text, well below the processor time after which its owner is deprioritised. */
const LONG_CPU_MS = 1_500;
const SAMPLE_OPERATIONS = 1_000_000;
/** Less than loading pdfjs takes, and more than the first PDF costs beyond that. */
const LOADING_CPU_MS = 300;
const quick = (nth: number) => Buffer.from(`Corner Ltd\nInvoice ${nth}\nTotal EUR 12.00\n`);

interface TextProcess {
  readonly read: ReaderProcess['read'];
  readonly pid: number;
  readonly cpuMs: number;
}

describe('the reader processes', () => {
  let processes: ReceiptProcesses;

  beforeEach(async () => {
    processes = new compiled.ReceiptProcesses(TIMEOUT_MS, NO_SANDBOX);
    await read(OTHER, quick(0));
  });
  afterEach(() => processes.stop());

  const read = (owner: number, bytes: Buffer, signal?: AbortSignal) =>
    processes.read({
      ...{ owner, bytes, declaredKind: null, today: '2026-11-22', recognise: false, withText: false },
      ...(signal && { signal }),
    });

  it('limit a text to three seconds', async () => {
    const started = performance.now();
    await expect(read(HOSTILE, SLOW)).rejects.toMatchObject({ loss: 'time' });
    const took = performance.now() - started;
    expect(took).toBeGreaterThan(TEXT_MS * 0.9);
    expect(took).toBeLessThan(TEXT_MS * 3);
    expect(await read(OTHER, quick(1))).toMatchObject({ kind: 'read' });
  });

  it('read the texts of an owner who has lost a process in a separate process', async () => {
    const lost = [read(HOSTILE, SLOW), read(HOSTILE, SLOW), read(HOSTILE, SLOW)].map((reading) =>
      reading.then(
        () => 'read',
        ({ loss }: { loss: string }) => loss,
      ),
    );
    expect(processes.heldBack()).toEqual([]);
    expect(await lost[0]).toBe('time');
    expect(processes.heldBack()).toEqual([HOSTILE]);
    const order: string[] = [];
    const others = [2, 3, 4, 5].map((nth) => read(OTHER, quick(nth)).then(() => order.push('other')));
    void lost[1]?.then(() => order.push('slow'));
    await Promise.all([...others, lost[1]]);
    expect(order).toEqual(['other', 'other', 'other', 'other', 'slow']);
    // The process has low priority, so on a busy machine it may not get its processor time.
    const [, ...late] = await Promise.all(lost);
    expect(late).toEqual([expect.stringMatching(LATE), expect.stringMatching(LATE)]);
    // Deprioritised documents are still read.
    expect(await read(HOSTILE, quick(6))).toMatchObject({ kind: 'read' });
  });

  it('deprioritise an owner of a slow text at once, while it is read', async () => {
    let isOver = false;
    const slow = read(HOSTILE, SLOW).catch(({ loss }: { loss: string }) => {
      isOver = true;
      return loss;
    });
    await until('the owner to be held back', () => processes.heldBack().length > 0);
    expect({ isOver, heldBack: processes.heldBack() }).toEqual({ isOver: false, heldBack: [HOSTILE] });
    // The next texts of this owner go to another process at once. On a slow machine, its start takes longer than
    // the slow text may.
    const pid = textProcess().pid;
    process.kill(pid, 'SIGSTOP');
    expect(await read(HOSTILE, quick(8))).toMatchObject({ kind: 'read' });
    expect(isOver).toBe(false);
    process.kill(pid, 'SIGCONT');
    expect(await slow).toMatch(LATE);
  });

  const textProcess = () => (processes as unknown as { readonly text: TextProcess }).text;

  /** Reads a text in the text process without deprioritising its owner. */
  async function cpuMsOf(bytes: Buffer): Promise<number> {
    let taken = 0;
    const document = { bytes, declaredKind: null, today: '2026-11-22', recognise: false, withText: false };
    await textProcess().read(OTHER, document, { onEnd: ({ cpuMs }) => (taken = cpuMs) });
    return taken;
  }

  it('do not count the loading of their code as time of the first PDF', async () => {
    const [first, second] = [await cpuMsOf(slowPdf('', 1_000)), await cpuMsOf(slowPdf('', 1_000))];
    expect(first - second).toBeLessThan(LOADING_CPU_MS);
  });

  /** Returns a text that takes about `LONG_CPU_MS` at the current speed of this machine. */
  async function longText(): Promise<Buffer> {
    // The compiler optimises the code while it reads the first PDF.
    await cpuMsOf(slowPdf('', 1_000));
    const sampleCpuMs = await cpuMsOf(slowPdf('', SAMPLE_OPERATIONS));
    return slowPdf('', Math.round((SAMPLE_OPERATIONS * LONG_CPU_MS) / sampleCpuMs));
  }

  /**
   * Suspends the process after this processor time, as if other processes used the processor from then on.
   */
  async function stopAfter(cpuMs: number): Promise<number> {
    const text = textProcess();
    const before = text.cpuMs;
    await until('the text to have cost its share', () => text.cpuMs - before > cpuMs);
    process.kill(text.pid, 'SIGSTOP');
    return text.pid;
  }

  it('finish a text that a busy machine delays, but deprioritise its owner', async () => {
    const reading = read(HOSTILE, await longText());
    const pid = await stopAfter(1_050);
    await Promise.race([reading, sleep(TEXT_MS)]);
    process.kill(pid, 'SIGCONT');
    expect(await reading).toMatchObject({ kind: 'needs-recognition' });
    expect(processes.heldBack()).toEqual([HOSTILE]);
  });

  it('deprioritise the owner of a slow text, although a busy machine delayed it', async () => {
    const reading = read(HOSTILE, await longText());
    const [, lost] = await Promise.allSettled([stopAfter(1_050), reading]);
    expect(lost).toMatchObject({ reason: { loss: 'stalled' } });
    expect(processes.heldBack()).toEqual([HOSTILE]);
  });

  it('do not start documents that were withdrawn while they waited', async () => {
    const caller = new AbortController();
    const slow = read(HOSTILE, SLOW);
    const withdrawn = read(OTHER, SLOW, caller.signal);
    const started = performance.now();
    caller.abort();
    await expect(withdrawn).rejects.toMatchObject({ loss: 'withdrawn' });
    expect(performance.now() - started).toBeLessThan(TEXT_MS / 2);
    await expect(slow).rejects.toMatchObject({ loss: 'time' });
    expect(processes.heldBack()).toEqual([HOSTILE]);
    await until('the next', async () => (await read(OTHER, quick(7))).kind === 'read');
  });
});
