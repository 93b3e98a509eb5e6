import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ReadAnswer, ReadRequest } from '../process/protocol';
import { ReaderProcess, type ReaderProcessOptions } from '../process/reader-process';

export const MIB = 1024 * 1024;
/** The compiled code, which processes can run. */
export const COMPILED = path.resolve(__dirname, '../../../../dist/libs/receipt-reader/src/process');
/** The first page of a document. A reader sends it before it carries out an instruction that begins with `part`. */
export const PART: ReadAnswer = {
  kind: 'read',
  reading: { fields: { total: 12 }, confidence: { total: 1 }, source: 'ocr', pages: 1, pageCount: 3 },
  text: '',
};
/**
 * Performs the instructions in the text that it receives. Time and memory are limited as in the real reader.
 */
export const MAIN = `
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
    // Simulates a machine that gives the process little processor time.
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
    keep: () => void hoard.push(Buffer.alloc(200 * 1024 * 1024, 1)) ?? 'kept',
  };
  const junk = [null, 7, 'ready', [], { number: 1 }, { answer: {} }, { number: 1, answer: { kind: 'read' } }];
  process.on('message', ({ number, request }) => {
    const [, part, text] = /^(part )?(.*)$/.exec(Buffer.from(request.bytes).toString());
    if (part) process.send({ number, answer: ${JSON.stringify(PART)}, isPart: true });
    if (text.startsWith('junk')) return process.send(junk[Number(text.slice(4))]);
    const said = deeds[text] ? deeds[text]() : text;
    const memoryBytes = process.memoryUsage.rss();
    process.send({ number, answer: { kind: 'failed', message: said }, memoryBytes });
  });
`;

/** Returns a request with an instruction as its text. */
export const asked = (text: string): ReadRequest => ({
  bytes: Buffer.from(text),
  declaredKind: null,
  today: '2026-11-22',
  recognise: true,
  withText: false,
});

/** Reader processes that run `MAIN`, for tests of their supervision. */
export class ObedientReaders {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-reader-'));
  readonly main = path.join(this.folder, 'main.js');
  private started: ReaderProcess[] = [];

  constructor() {
    fs.writeFileSync(this.main, MAIN);
  }

  start(options: Partial<ReaderProcessOptions> = {}): ReaderProcess {
    const { timeoutMs = 5_000 } = options;
    const limits = {
      timeoutMs,
      blameCpuMs: timeoutMs / 2,
      memoryMaxBytes: 512 * MIB,
      idleMs: 60_000,
      niceness: 0,
    };
    const reader = new ReaderProcess({ ...limits, main: this.main, ...options });
    this.started.push(reader);
    return reader;
  }

  stopAll(): void {
    for (const reader of this.started) reader.stop();
    this.started = [];
  }

  removeFolder(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Whether the process runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    const state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)]);
    return !/^(Z|$)/.test(state.toString().trim());
  } catch {
    return false;
  }
}
