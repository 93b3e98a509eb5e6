import path from 'node:path';
import { createWorker, OEM, PSM, type Worker } from 'tesseract.js';
import type { Raster } from '../image/raster';
import { lineAt, shareOf, stackLines } from './line-stack';
import type { ReadWord } from './merge-readings';

const LANGUAGE_FOLDER = path.join(
  path.dirname(require.resolve('@tesseract.js-data/heb/package.json')),
  '4.0.0_best_int',
);

const DIRECTION_MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

let worker: Promise<Worker> | undefined;

/** Reads lines that contain Hebrew. Returns the words of each line, in no particular order. */
export async function readHebrew(lines: readonly Raster[]): Promise<ReadWord[][]> {
  const read: ReadWord[][] = lines.map(() => []);
  if (lines.length === 0) return read;
  worker ??= startWorker().catch((error: unknown) => {
    // The next page starts a new worker.
    worker = undefined;
    throw error;
  });
  const stack = stackLines(lines);
  const { data } = await (await worker).recognize(stack.picture, {}, { blocks: true, text: false });
  const words = (data.blocks ?? []).flatMap(({ paragraphs }) =>
    paragraphs.flatMap((paragraph) => paragraph.lines.flatMap((line) => line.words)),
  );
  for (const { text, confidence, bbox, symbols } of words) {
    const index = lineAt(stack, (bbox.y0 + bbox.y1) / 2);
    if (index === undefined) continue;
    const line = lines[index]!;
    const placed = (box: { x0: number; x1: number }) => ({
      left: shareOf(line, box.x0),
      right: shareOf(line, box.x1),
    });
    const characters = symbols.map((symbol) => ({ text: symbol.text, ...placed(symbol.bbox) }));
    read[index]!.push({
      text: text.replace(DIRECTION_MARKS, ''),
      confidence: confidence / 100,
      ...placed(bbox),
      characters,
    });
  }
  return read;
}

async function startWorker(): Promise<Worker> {
  const started = await createWorker('heb', OEM.LSTM_ONLY, {
    langPath: LANGUAGE_FOLDER,
    gzip: true,
    cacheMethod: 'none',
    // The promise of the call also rejects. Without this handler the error would be thrown as an uncaught
    // exception.
    errorHandler: () => undefined,
  });
  await started.setParameters({ tessedit_pageseg_mode: PSM.SINGLE_BLOCK });
  return started;
}
