import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { toRows } from '../fields/rows';
import type { Page } from '../page';
import { loadPdfjs } from '../pdf/load-pdfjs';
import { DocumentNeedsRecognition, type ReadDocument, readDocument } from '../read-document';
import type { ReadingSource } from '../reading';
import { UnreadableDocument } from '../unreadable-document';
import type {
  ChildSettings,
  NumberedAnswer,
  NumberedRequest,
  PartAnswer,
  ReadAnswer,
  ReadRequest,
  Ready,
} from './protocol';

// Entry point of a reader process. It reads the documents that the parent sends, one at a time.

/** Enough for any receipt. A second reader receives no more. */
const TEXT_LENGTH_MAX = 20_000;

const settings = JSON.parse(process.argv[2] ?? '') as ChildSettings;

new Worker(path.join(__dirname, 'watch.js'), { workerData: settings }).unref();
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches every process of the terminal. The parent decides when this process ends.
process.on('SIGINT', () => undefined);
process.on('message', (message: NumberedRequest) => {
  const before = process.cpuUsage();
  const { number, request } = message;
  void answer(request, (part) => send({ number, answer: part, isPart: true })).then((read) => {
    const { user, system } = process.cpuUsage(before);
    const memoryBytes = process.memoryUsage.rss();
    send({ number, answer: read, cpuMs: (user + system) / 1000, memoryBytes });
  });
});
// Loading it takes up to a second of processor time, which is not that of the first document.
void loadPdfjs().then(() => send({ ready: true }));

function send(message: NumberedAnswer | Ready): void {
  process.send?.(message);
}

async function answer(
  { bytes, declaredKind, today, recognise, withText }: ReadRequest,
  onPart: (part: PartAnswer) => void,
): Promise<ReadAnswer> {
  const answerOf = ({ reading, pages, fault }: ReadDocument): PartAnswer => ({
    ...{ kind: 'read', reading },
    text: withText ? textOf(pages, reading.source) : '',
    ...(fault !== undefined && { fault: told(fault) }),
  });
  try {
    const read = await readDocument(bytes, {
      ...{ today, recognise, limits: settings.document },
      onPart: (part) => onPart(answerOf(part)),
      ...(declaredKind && { declaredKind }),
    });
    return answerOf(read);
  } catch (error) {
    if (error instanceof UnreadableDocument) {
      return { kind: 'unreadable', reason: error.reason, message: error.message };
    }
    if (error instanceof DocumentNeedsRecognition) return { kind: 'needs-recognition' };
    return { kind: 'failed', message: told(error) };
  }
}

function told(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function textOf(pages: readonly Page[], source: ReadingSource): string {
  const lines = toRows(pages, source).map((row) => row.text);
  return lines.join('\n').slice(0, TEXT_LENGTH_MAX);
}
