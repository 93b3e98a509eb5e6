import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { checkedMessage } from './checked-answer';
import { DocumentTime, readingLimits } from './document-time';
import type { NumberedAnswer, PartAnswer, ReadAnswer, ReadRequest, Ready } from './protocol';
import { endReader, startReader } from './reader-command';
import { type ReaderLoss, ReaderLost } from './reader-lost';
import { NO_SANDBOX, type Sandbox } from './sandbox';

export interface ReaderProcessOptions {
  /**
   * For one document, from the time when the process starts it. It is extended on a busy machine
   * (`DocumentTime`).
   */
  readonly timeoutMs: number;
  /**
   * A document that exceeds the timeout counts as too slow if it has used this much processor time. With less, the
   * machine counts as too busy.
   */
  readonly blameCpuMs: number;
  readonly memoryMaxBytes: number;
  /** A process that is idle for this long is ended to free its memory. */
  readonly idleMs: number;
  /** 0 to 19; a higher value means a lower priority. */
  readonly niceness: number;
  /** The entry point of the process; `child.js` in this directory by default. */
  readonly main?: string;
  /** Isolates the process from the rest of the machine. Without it there is no isolation. */
  readonly sandbox?: Sandbox;
  /** Returns true for owners whose documents are read only if no other owner has any. */
  readonly goesLast?: (owner: number) => boolean;
}

/** Options for one document. */
export interface TaskOptions {
  /** Withdraws the document while it waits. A document that has started is read to its end. */
  readonly signal?: AbortSignal | undefined;
  /** Called while the document is read, with its processor time so far. */
  readonly onProgress?: (cpuMs: number) => void;
  /** Called when a started document was read or lost. */
  readonly onEnd?: (end: DocumentEnd) => void;
}

/** The duration and processor time of a document, and the reason if the process ended before it was read. */
export interface DocumentEnd {
  readonly ms: number;
  readonly cpuMs: number;
  readonly loss?: ReaderLoss;
}

interface Task {
  readonly owner: number;
  readonly request: ReadRequest;
  readonly options: TaskOptions;
  readonly resolve: (answer: ReadAnswer) => void;
  readonly reject: (error: ReaderLost) => void;
  /** The document as far as it was read. */
  part?: PartAnswer;
}

/**
 * A process that uses more than this share of its memory after a document is replaced. It grows by about 1 MiB with
 * each image, and needs another 300 MiB while it recognises one. Sooner or later, it would be ended while it reads a
 * document that is not the cause.
 */
const WORN_SHARE = 0.65;
const STDERR_KEPT = 2_000;
/** A start takes half a second. If it takes this long, the machine is the cause and not a document. */
const START_TIMEOUT_MS = 20_000;

/**
 * A process that reads documents one at a time. Owners take turns, and the documents of one owner are read in
 * order. The process is started on demand. If a document takes too much time or memory, or leaves the process
 * too large, the process is killed, and the next document gets a new one. The pages that were read until then are part of the error.
 */
export class ReaderProcess {
  private child: ChildProcess | null = null;
  private current: Task | null = null;
  private readonly waiting: Task[] = [];
  /** The number of the last started request of each owner. */
  private readonly served = new Map<number, number>();
  private number = 0;
  private timer: NodeJS.Timeout | undefined;
  /** The start of the current document and its time limit. undefined while the process starts. */
  private begun: { readonly at: number; readonly cpuMs: number; readonly time: DocumentTime } | undefined;
  /** Processor time of the process so far. */
  private cpuMs = 0;
  private isReady = false;
  private told = '';
  private stopped = false;

  constructor(private readonly options: ReaderProcessOptions) {}

  /**
   * @param owner the document's owner: the least recently served one is next
   * @throws ReaderLost if the process ended before it answered, or the document was withdrawn
   */
  read(owner: number, request: ReadRequest, options: TaskOptions = {}): Promise<ReadAnswer> {
    const { signal } = options;
    return new Promise((resolve, reject) => {
      if (this.stopped) return reject(new ReaderLost('stopped', ''));
      if (signal?.aborted) return reject(new ReaderLost('withdrawn', ''));
      const task: Task = { owner, request, options, resolve, reject };
      signal?.addEventListener('abort', () => this.withdraw((other) => other === task), { once: true });
      this.waiting.push(task);
      this.next();
    });
  }

  /** Withdraws all waiting documents of an owner. */
  withdrawAll(owner: number): void {
    this.withdraw((task) => task.owner === owner);
  }

  private withdraw(isWithdrawn: (task: Task) => boolean): void {
    for (const task of this.waiting.filter(isWithdrawn)) {
      this.waiting.splice(this.waiting.indexOf(task), 1);
      task.reject(new ReaderLost('withdrawn', ''));
    }
  }

  /** Ends the process. The current and all waiting documents are rejected with `stopped`. */
  stop(): void {
    this.stopped = true;
    for (const task of this.waiting.splice(0)) task.reject(new ReaderLost('stopped', ''));
    this.lose('stopped');
  }

  /** Process id, if a process is running. */
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
    try {
      this.child ??= this.start();
      this.begin();
      // If the message cannot be sent, the process ends, and its exit handler reports that.
      this.child.send({ number: this.number, request: task.request }, () => undefined);
    } catch (error) {
      // The system cannot start a process now, for example because it is out of memory or processes.
      this.told = String(error);
      process.nextTick(() => this.current === task && this.lose('away'));
    }
  }

  /** Starts the time limit of the current document once the process is ready. */
  private begin(): void {
    clearTimeout(this.timer);
    this.begun = undefined;
    if (!this.isReady) {
      this.timer = setTimeout(() => this.lose('away'), START_TIMEOUT_MS);
      return;
    }
    const time = new DocumentTime(this.options, this.cpuMs);
    this.begun = { at: performance.now(), cpuMs: this.cpuMs, time };
    this.watch(time);
  }

  private watch(time: DocumentTime): void {
    this.timer = setTimeout(() => {
      // If this process was busy or suspended, the answer may already have arrived. It is handled before the
      // time limit is checked.
      setImmediate(() => this.begun?.time === time && this.judge(time));
    }, this.options.timeoutMs);
  }

  private judge(time: DocumentTime): void {
    const loss = time.afterPeriod(this.cpuMs);
    if (loss) this.lose(loss);
    else this.watch(time);
  }

  private hearCpu(child: ChildProcess, cpuMs: number): void {
    if (this.child !== child) return;
    // A line may arrive in two pieces, of which the second is a smaller number.
    this.cpuMs = Math.max(this.cpuMs, cpuMs);
    if (!this.begun) return;
    if (this.begun.time.isOver(this.cpuMs)) this.lose('time');
    else this.current?.options.onProgress?.(this.cpuMs - this.begun.cpuMs);
  }

  private takeNext(): Task | undefined {
    if (this.waiting.length === 0) this.served.clear();
    const { goesLast = () => false } = this.options;
    const turnOf = ({ owner }: Task) =>
      (this.served.get(owner) ?? 0) + (goesLast(owner) ? this.number + 1 : 0);
    const next = this.waiting.reduce<Task | undefined>(
      (first, task) => (first && turnOf(first) <= turnOf(task) ? first : task),
      undefined,
    );
    if (next) this.waiting.splice(this.waiting.indexOf(next), 1);
    return next;
  }

  private start(): ChildProcess {
    const { memoryMaxBytes, niceness, sandbox = NO_SANDBOX } = this.options;
    const { main = path.join(__dirname, 'child.js') } = this.options;
    const settings = { memoryMaxBytes, document: readingLimits(this.options) };
    const command = { main, settings, sandbox, niceness };
    const child: ChildProcess = startReader(command, (cpuMs) => this.hearCpu(child, cpuMs));
    this.told = '';
    this.isReady = false;
    this.cpuMs = 0;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (this.child === child) this.told = (this.told + text).slice(-STDERR_KEPT);
    });
    child.on('message', (sent: unknown) => this.hear(child, checkedMessage(sent)));
    // A process that ends before it is ready has not started the document.
    const lost = () => this.child === child && this.lose(this.isReady ? 'crash' : 'away');
    child.on('error', lost);
    child.on('exit', lost);
    return child;
  }

  private hear(child: ChildProcess, message: NumberedAnswer | Ready | null): void {
    if (this.child !== child) return;
    if (!message) return this.lose('crash');
    const wasReady = this.isReady;
    this.isReady = true;
    if ('number' in message) this.settle(message);
    else if (!wasReady && this.current) this.begin();
  }

  private settle(message: NumberedAnswer): void {
    if (message.number !== this.number || !this.current) return;
    if (message.isPart) {
      this.current.part = message.answer;
      return;
    }
    const { answer, cpuMs = 0, memoryBytes = 0 } = message;
    const { resolve, options } = this.current;
    const ms = this.begun ? performance.now() - this.begun.at : 0;
    this.current = null;
    this.begun = undefined;
    options.onEnd?.({ ms, cpuMs });
    resolve(answer);
    if (memoryBytes > WORN_SHARE * this.options.memoryMaxBytes) this.endChild();
    this.next();
  }

  /** Ends the process, if there is one. The next document gets a new one. */
  private endChild(): void {
    const { child } = this;
    this.child = null;
    if (child) endReader(child);
  }

  private lose(loss: ReaderLoss): void {
    clearTimeout(this.timer);
    const { current, begun } = this;
    this.current = null;
    this.begun = undefined;
    this.endChild();
    if (begun)
      current?.options.onEnd?.({
        ...{ ms: performance.now() - begun.at, cpuMs: this.cpuMs - begun.cpuMs },
        loss,
      });
    current?.reject(new ReaderLost(loss, this.told, current.part));
    // Deferred, because a caller may react to the loss by withdrawing waiting documents.
    setImmediate(() => !this.stopped && this.waiting.length > 0 && this.next());
  }
}
