import type { DocumentKind } from '../file-kind';
import type { ReadAnswer } from './protocol';
import { ReaderProcess } from './reader-process';

const MIB = 1024 * 1024;
const IDLE_MS = 300_000;
/** Recognising pages gives way to everything else on the machine. */
const NICENESS = 10;

export interface ReceiptDocument {
  /** Whose it is: owners take turns. */
  readonly owner: number;
  readonly bytes: Uint8Array;
  /** What the document is said to be by an extension; null: its bytes alone tell. */
  readonly saidAs: DocumentKind | null;
  /** YYYY-MM-DD: nothing is dated later. */
  readonly today: string;
  /** Whether the text that the fields are found in is wanted too. */
  readonly withText: boolean;
}

/**
 * Reads receipts in two processes of their own: what is text already does not wait for the pages of images, which take
 * a hundred times as long.
 */
export class ReceiptProcesses {
  private readonly text: ReaderProcess;
  private readonly images: ReaderProcess;

  /** @param timeoutMs for one document in one process */
  constructor(timeoutMs: number) {
    const options = { timeoutMs, idleMs: IDLE_MS };
    this.text = new ReaderProcess({ ...options, memoryMaxBytes: 768 * MIB, niceness: 0 });
    this.images = new ReaderProcess({ ...options, memoryMaxBytes: 1024 * MIB, niceness: NICENESS });
  }

  /** @throws ReaderLost when the process did not live to answer */
  async read({
    owner,
    ...document
  }: ReceiptDocument): Promise<Exclude<ReadAnswer, { kind: 'needs-recognition' }>> {
    const answer = await this.text.read(owner, { ...document, recognise: false });
    if (answer.kind !== 'needs-recognition') return answer;
    const recognised = await this.images.read(owner, { ...document, recognise: true });
    if (recognised.kind === 'needs-recognition') throw new Error('the reader of images recognises none');
    return recognised;
  }

  stop(): void {
    this.text.stop();
    this.images.stop();
  }
}
