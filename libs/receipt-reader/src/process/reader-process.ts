import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import path from 'node:path';
import type { ChildSettings, NumberedAnswer, ReadAnswer, ReadRequest } from './protocol';

/** Why a reader's process was lost: it took too long, ended by itself (out of memory, as a rule), or was told to stop. */
export type ReaderLoss = 'time' | 'crash' | 'stopped';

const LOSSES: Readonly<Record<ReaderLoss, string>> = {
  time: 'took too long',
  crash: 'crashed, or took too much memory',
  stopped: 'was stopped',
};

export class ReaderLost extends Error {
  /** @param told what the process last wrote to its standard error */
  constructor(
    readonly loss: ReaderLoss,
    readonly told: string,
  ) {
    super(`the reader ${LOSSES[loss]}`);
  }
}

export interface ReaderProcessOptions {
  /** For one document, from when the process is given it. */
  readonly timeoutMs: number;
  readonly memoryMaxBytes: number;
  /** A process that has had nothing to read for so long is ended, and its memory with it. */
  readonly idleMs: number;
  /** 0 to 19: higher gives way to others. */
  readonly niceness: number;
  /** Its main file; `child.js` beside this one by default. */
  readonly main?: string;
}

interface Task {
  readonly owner: number;
  readonly request: ReadRequest;
  readonly resolve: (answer: ReadAnswer) => void;
  readonly reject: (error: ReaderLost) => void;
}

const STDERR_KEPT = 2_000;
/** JavaScript's own share; images and models are kept outside of it. */
const HEAP_MAX_MIB = 512;

/**
 * A process that reads documents, one at a time: their owners take turns, and the documents of one are read in the order
 * in which they are given. It is started when it is needed, and ended, at once and whatever it is doing, when a document
 * takes too much time or memory; the next gets a new one.
 */
export class ReaderProcess {
  private child: ChildProcess | null = null;
  private current: Task | null = null;
  private readonly waiting: Task[] = [];
  /** Owners by the number of the last request of theirs that was begun. */
  private readonly served = new Map<number, number>();
  private number = 0;
  private timer: NodeJS.Timeout | undefined;
  private told = '';
  private stopped = false;

  constructor(private readonly options: ReaderProcessOptions) {}

  /**
   * @param owner whose document it is: who was served longest ago is next
   * @throws ReaderLost when the process did not live to answer
   */
  read(owner: number, request: ReadRequest): Promise<ReadAnswer> {
    return new Promise((resolve, reject) => {
      if (this.stopped) return reject(new ReaderLost('stopped', ''));
      this.waiting.push({ owner, request, resolve, reject });
      this.next();
    });
  }

  /** Ends the process; what it reads and what waits is lost. */
  stop(): void {
    this.stopped = true;
    for (const task of this.waiting.splice(0)) task.reject(new ReaderLost('stopped', ''));
    this.lose('stopped');
  }

  /** The process that is there, if any. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  private next(): void {
    if (this.current) return;
    clearTimeout(this.timer);
    const task = this.takeNext();
    if (!task) {
      this.timer = setTimeout(() => this.lose('stopped'), this.options.idleMs);
      this.timer.unref();
      return;
    }
    this.current = task;
    this.number += 1;
    this.served.set(task.owner, this.number);
    this.timer = setTimeout(() => this.lose('time'), this.options.timeoutMs);
    try {
      this.child ??= this.start();
      // What cannot be sent ends the process, which is heard of below.
      this.child.send({ number: this.number, request: task.request }, () => undefined);
    } catch (error) {
      // No process can be started now: the machine is out of something.
      this.told = String(error);
      process.nextTick(() => this.current === task && this.lose('crash'));
    }
  }

  private takeNext(): Task | undefined {
    if (this.waiting.length === 0) this.served.clear();
    const turnOf = (task: Task) => this.served.get(task.owner) ?? 0;
    const next = this.waiting.reduce<Task | undefined>(
      (first, task) => (first && turnOf(first) <= turnOf(task) ? first : task),
      undefined,
    );
    if (next) this.waiting.splice(this.waiting.indexOf(next), 1);
    return next;
  }

  private start(): ChildProcess {
    const { memoryMaxBytes, niceness, main = path.join(__dirname, 'child.js') } = this.options;
    const settings: ChildSettings = { memoryMaxBytes };
    const child = fork(main, [JSON.stringify(settings)], {
      // What it reads comes from strangers: it gets none of our secrets.
      env: { TZ: 'UTC' },
      execArgv: ['--enable-source-maps', `--max-old-space-size=${HEAP_MAX_MIB}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.told = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (this.child === child) this.told = (this.told + text).slice(-STDERR_KEPT);
    });
    child.on('message', (message: NumberedAnswer) => this.settle(child, message));
    const lost = () => this.child === child && this.lose('crash');
    child.on('error', lost);
    child.on('exit', lost);
    yieldTo(child, niceness);
    return child;
  }

  private settle(child: ChildProcess, { number, answer }: NumberedAnswer): void {
    if (this.child !== child || number !== this.number || !this.current) return;
    const { resolve } = this.current;
    this.current = null;
    resolve(answer);
    this.next();
  }

  private lose(loss: ReaderLoss): void {
    clearTimeout(this.timer);
    const { child, current } = this;
    this.child = null;
    this.current = null;
    child?.kill('SIGKILL');
    current?.reject(new ReaderLost(loss, this.told));
    if (!this.stopped && this.waiting.length > 0) this.next();
  }
}

/** Where the system refuses, the process reads at full pace. */
function yieldTo({ pid }: ChildProcess, niceness: number): void {
  if (niceness === 0 || pid === undefined) return;
  try {
    setPriority(pid, niceness);
  } catch {
    // It may have ended already; that is heard of elsewhere.
  }
}
