import { HeldBackOwners } from './held-back-owners';
import type { ReadAnswer } from './protocol';
import { type ReaderLoss, ReaderLost } from './reader-lost';
import { type DocumentEnd, ReaderProcess, type TaskOptions } from './reader-process';
import type { ReceiptDocument, ReceiptSource } from './receipt-source';
import type { Sandbox } from './sandbox';

const MIB = 1024 * 1024;
const IDLE_MS = 300_000;
/**
 * Limits of a text: a hundred times the duration of an ordinary receipt, and a quarter of the time limit of a
 * document.
 */
const TEXT_MS = 3_000;
const TEXT_SHARE = 0.25;
/**
 * A text with more processor time delays the other owners, so the next texts of its owner are read in a
 * separate process.
 */
const SLOW_TEXT_MS = 1_000;
/** A document whose processor time is this share of its time limit was not slowed down by other processes. */
const BUSY_SHARE = 0.9;
const HELD_BACK_MS = 600_000;
/** OCR runs with a lower priority than everything else on the machine. */
const NICENESS = 10;

/**
 * Reads receipts in separate processes. Texts do not wait for images, which take a hundred times as long. If
 * a document of an owner took too much time or ended a process, the next texts of that owner are read in a
 * third process for a while, and its images after those of all other owners.
 */
export class ReceiptProcesses implements ReceiptSource {
  private readonly heldBackOwners = new HeldBackOwners(HELD_BACK_MS);
  private readonly text: ReaderProcess;
  private readonly textHeldBack: ReaderProcess;
  private readonly images: ReaderProcess;

  /**
   * @param timeoutMs for one document in all processes together; at most three seconds of it are for reading
   * text
   */
  constructor(timeoutMs: number, sandbox: Sandbox) {
    const textMs = Math.min(TEXT_MS, timeoutMs * TEXT_SHARE);
    const text = { ...limitsOf(textMs), memoryMaxBytes: 768 * MIB, sandbox };
    this.text = new ReaderProcess({ ...text, niceness: 0 });
    this.textHeldBack = new ReaderProcess({ ...text, niceness: NICENESS });
    this.images = new ReaderProcess({
      ...limitsOf(timeoutMs - textMs),
      ...{ memoryMaxBytes: 1024 * MIB, niceness: NICENESS, sandbox },
      goesLast: (owner) => this.heldBackOwners.has(owner),
    });
  }

  /**
   * Returns the owners whose documents are read last, because a recent one took too much time or ended a
   * process.
   */
  heldBack(): readonly number[] {
    return this.heldBackOwners.all();
  }

  /** @throws ReaderLost if the process ended before it answered, or the document was withdrawn */
  read(document: ReceiptDocument): Promise<ReadAnswer> {
    return document.recognise ? this.recognise(document) : this.readText(document);
  }

  stop(): void {
    for (const process of [this.text, this.textHeldBack, this.images]) process.stop();
  }

  private async recognise({ owner, signal, ...document }: ReceiptDocument): Promise<ReadAnswer> {
    const onEnd = ({ loss }: DocumentEnd) => {
      if (isOfDocument(loss)) this.holdBack(owner);
    };
    const answer = await this.images.read(owner, document, { signal, onEnd });
    if (answer.kind === 'needs-recognition') throw new Error('the image reader did not recognise the images');
    return answer;
  }

  private async readText({ owner, signal, ...document }: ReceiptDocument): Promise<ReadAnswer> {
    const options: TaskOptions = {
      signal,
      // Checked during the reading, because on a busy machine it may take several times as long. Until then,
      // the owner's next texts would queue with those of other owners.
      onProgress: (cpuMs) => {
        if (cpuMs > SLOW_TEXT_MS && !this.heldBackOwners.has(owner)) this.holdBack(owner);
      },
      onEnd: ({ cpuMs, loss }) => {
        if (cpuMs > SLOW_TEXT_MS || isOfDocument(loss)) this.holdBack(owner);
      },
    };
    if (!this.heldBackOwners.has(owner)) {
      try {
        return await this.text.read(owner, document, options);
      } catch (error) {
        if (!(error instanceof ReaderLost) || error.loss !== 'withdrawn' || signal?.aborted) throw error;
        // Its owner was deprioritised while the document waited. Read it in the other process.
      }
    }
    return this.textHeldBack.read(owner, document, options);
  }

  private holdBack(owner: number): void {
    this.heldBackOwners.add(owner);
    this.text.withdrawAll(owner);
  }
}

const limitsOf = (timeoutMs: number) => ({
  timeoutMs,
  blameCpuMs: timeoutMs * BUSY_SHARE,
  idleMs: IDLE_MS,
});

const isOfDocument = (loss: ReaderLoss | undefined): boolean => loss === 'time' || loss === 'crash';
