import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Figures } from '@counterfoil/test-harness';
import { unseen as floor } from './extraction-floor.json';
import { receiptsSet } from './receipts-set';

interface Accuracy {
  readonly macroF1: number;
  readonly totalPrecision: number;
}

/** The figures of documents whose layouts and vendors were left out of the training. */
interface Unseen {
  readonly development: Accuracy;
  readonly generated: Accuracy;
  /** The bands of confidence of each field, from the lowest. */
  readonly confidence: Readonly<Record<string, readonly { count: number; share?: number }[]>>;
}

let folder: string;

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-unseen-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

it('reads documents of layouts and vendors that it was not trained on', () => {
  const output = path.join(folder, 'unseen.json');
  const tool = path.join(__dirname, '../../../../tools/train-reader.mjs');
  const printed = execFileSync(process.execPath, [tool, receiptsSet(), '--unseen', output]).toString();
  process.stdout.write(printed);
  const unseen = JSON.parse(fs.readFileSync(output, 'utf8')) as Unseen;
  const figures = new Figures();
  figures.heading('documents not trained on');
  for (const set of ['development', 'generated'] as const) {
    const least = floor[set];
    figures.add(`macroF1, ${set}`, unseen[set].macroF1, '', { atLeast: least.macroF1 });
    figures.add('  precision of total', unseen[set].totalPrecision, '', { atLeast: least.totalPrecision });
  }
  for (const [field, bands] of Object.entries(unseen.confidence)) {
    const sure = bands.at(-1)!;
    figures.add(`${field} with confidence 0.95 or more, right`, sure.share ?? 0, '', {
      atLeast: floor.sure,
    });
  }
  expect(figures.broken).toEqual([]);
}, 900_000);
