import fs from 'node:fs';
import { chooseSandbox } from '../../process/choose-sandbox';
import type { ReadAnswer } from '../../process/protocol';
import { ReaderLost } from '../../process/reader-lost';
import { ReceiptProcesses } from '../../process/receipt-processes';
import { mutatedPdf } from './mutated-pdfs';
import { unusualPdfs } from './unusual-pdfs';

/** Which documents are read: of the unusual ones every `unusualStep`th, and this many damaged ones. */
export interface FuzzInput {
  readonly unusualStep: number;
  readonly mutated: number;
  /** If false, documents that need OCR are only opened. They are the slow ones. */
  readonly recognise?: boolean;
  /** A file that receives a line of JSON for each document; none by default. */
  readonly log?: string;
}

/** The result of a run. Faults are lines that name the document. */
export interface FuzzReport {
  readonly unusual: number;
  /** Unusual documents without the planted total, or with another reason for the refusal. */
  readonly wrong: readonly string[];
  readonly mutated: number;
  /** Numbers of damaged documents by their outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Documents that ended a reader, or for which it failed without a reason. */
  readonly faults: readonly string[];
  /** The largest resident memory of a reader process. */
  readonly peakMiB: number;
  readonly slowest: { readonly name: string; readonly ms: number };
  readonly seconds: number;
}

interface Outcome {
  readonly name: string;
  /** The total, `no total`, the reason of a refusal, or a fault. */
  readonly said: string;
  readonly isFault: boolean;
  readonly ms: number;
}

/** Limits as in the service. */
const TIMEOUT_MS = 27_000;
const AT_ONCE = 3;
const SAMPLE_MS = 200;
const ATTEMPTS_MAX = 10;
const NEEDS_RECOGNITION = 'needs recognition';
/** Every ninth unusual document is the origin of damaged ones: all kinds, and few that need OCR. */
const ORIGIN_STEP = 9;
const ORIGINS_MAX_BYTES = 200_000;

/** Reads the documents in reader processes, as the worker does. */
export async function runFuzz(input: FuzzInput): Promise<FuzzReport> {
  const { sandbox } = await chooseSandbox('auto');
  const run = new FuzzRun(new ReceiptProcesses(TIMEOUT_MS, sandbox), input);
  try {
    return await run.report();
  } finally {
    run.stop();
  }
}

class FuzzRun {
  private readonly outcomes: Outcome[] = [];
  private peakMiB = 0;
  private owner = 0;
  private readonly sampling = setInterval(() => this.sample(), SAMPLE_MS);

  constructor(
    private readonly processes: ReceiptProcesses,
    private readonly input: FuzzInput,
  ) {}

  stop(): void {
    clearInterval(this.sampling);
    this.processes.stop();
  }

  async report(): Promise<FuzzReport> {
    const { unusualStep, mutated, recognise = true } = this.input;
    const started = performance.now();
    const all = unusualPdfs();
    const unusual = all.filter((_, index) => index % unusualStep === 0);
    const wrong: string[] = [];
    await inTurns(unusual.length, async (index) => {
      const { name, expected, make } = unusual[index]!;
      const outcome = await this.read(name, await make());
      const isSkipped = !recognise && outcome.said === NEEDS_RECOGNITION;
      if (outcome.said !== `${expected}` && !isSkipped)
        wrong.push(`${name}: ${outcome.said} instead of ${expected}`);
    });
    const readBefore = this.outcomes.length;
    const origins = await this.origins(all);
    await inTurns(mutated, async (number) => {
      const { name, bytes } = mutatedPdf(number, origins);
      await this.read(name, bytes);
    });
    const ofMutated = this.outcomes.slice(readBefore);
    const slowest = this.outcomes.reduce((most, each) => (each.ms > most.ms ? each : most));
    return {
      ...{ unusual: unusual.length, wrong, mutated },
      outcomes: counted(
        ofMutated.map(({ said, isFault }) => (isFault ? 'fault' : /^\d/.test(said) ? 'total' : said)),
      ),
      faults: this.outcomes.filter(({ isFault }) => isFault).map(({ name, said }) => `${name}: ${said}`),
      peakMiB: Math.round(this.peakMiB),
      slowest: { name: slowest.name, ms: Math.round(slowest.ms) },
      seconds: Math.round((performance.now() - started) / 1_000),
    };
  }

  private async origins(all: ReturnType<typeof unusualPdfs>): Promise<Buffer[]> {
    const chosen = all.filter(
      ({ expected }, index) => index % ORIGIN_STEP === 0 && typeof expected === 'number',
    );
    const made = await Promise.all(chosen.map(({ make }) => make()));
    return made.filter(({ length }) => length <= ORIGINS_MAX_BYTES);
  }

  private async read(name: string, bytes: Buffer): Promise<Outcome> {
    const began = performance.now();
    const said = await this.answerTo(bytes).then(saidBy, (error: unknown) => {
      if (error instanceof ReaderLost) return `lost: ${error.loss} ${error.told.slice(-200)}`;
      throw error;
    });
    const isFault = /^(lost|failed)/.test(said);
    const outcome = { name, said, isFault, ms: performance.now() - began };
    this.outcomes.push(outcome);
    const { log } = this.input;
    if (log !== undefined) fs.appendFileSync(log, `${JSON.stringify(outcome)}\n`);
    return outcome;
  }

  /** Each document has another owner, because an owner is held back after a fault. */
  private async answerTo(bytes: Buffer): Promise<ReadAnswer> {
    const document = { owner: ++this.owner, bytes, declaredKind: null, today: '2026-11-22', withText: false };
    const read = (recognise: boolean) =>
      this.unlessStalled(() => this.processes.read({ ...document, recognise }));
    const answer = await read(false);
    const { recognise = true } = this.input;
    return answer.kind === 'needs-recognition' && recognise ? read(true) : answer;
  }

  /** Repeats a reading for which the machine was too busy, as the service does, but more often. */
  private async unlessStalled(read: () => Promise<ReadAnswer>): Promise<ReadAnswer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await read();
      } catch (error) {
        const isOfMachine =
          error instanceof ReaderLost && (error.loss === 'stalled' || error.loss === 'away');
        if (!isOfMachine || attempt === ATTEMPTS_MAX) throw error;
      }
    }
  }

  private sample(): void {
    for (const pid of descendantsOf(process.pid)) {
      const [, kib] = /VmHWM:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`)) ?? [];
      this.peakMiB = Math.max(this.peakMiB, Number(kib ?? 0) / 1024);
    }
  }
}

function saidBy(answer: ReadAnswer): string {
  switch (answer.kind) {
    case 'read':
      return `${answer.reading.fields.total ?? 'no total'}`;
    case 'unreadable':
      return answer.reason;
    case 'needs-recognition':
      return NEEDS_RECOGNITION;
    case 'failed':
      return `failed: ${answer.message}`;
  }
}

async function inTurns(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

function counted(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

function descendantsOf(pid: number): string[] {
  const children = textOf(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean);
  return children.flatMap((child) => [child, ...descendantsOf(Number(child))]);
}

/** Empty if the process has ended. */
function textOf(file: string): string {
  try {
    return fs.readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
