import type { Raster } from '../image/raster';
import { decodeSteps, latinAlphabet, type Alphabet, type ReadCharacter } from './ctc';
import { MODELS, OnnxModel, readCharacters } from './onnx-model';

/** Input height of the recognition model, in pixels. */
export const LINE_HEIGHT = 48;
const WIDTH_MIN = 96;
const WIDTH_MAX = 4800;
const WIDTH_STEP = 32;
/** Maximum width of one batch, in pixels. Larger batches are not faster and use more memory. */
const BATCH_WIDTH = 2600;

const model = new OnnxModel(MODELS.recognition);
let alphabet: Alphabet | undefined;

/** Reads lines of height LINE_HEIGHT. Returns one result for each line, in the same order. */
export async function recogniseLines(lines: readonly Raster[]): Promise<ReadCharacter[][]> {
  const order = lines.map((_, index) => index).sort((a, b) => lines[a]!.width - lines[b]!.width);
  const read: ReadCharacter[][] = lines.map(() => []);
  let batch: number[] = [];
  for (const index of order) {
    const width = paddedWidth(lines[index]!);
    if (batch.length && (batch.length + 1) * width > BATCH_WIDTH) {
      await readBatch(lines, batch, read);
      batch = [];
    }
    batch.push(index);
  }
  if (batch.length) await readBatch(lines, batch, read);
  return read;
}

const usedWidth = (line: Raster) => Math.min(line.width, WIDTH_MAX);
const paddedWidth = (line: Raster) =>
  Math.max(WIDTH_MIN, Math.ceil(usedWidth(line) / WIDTH_STEP) * WIDTH_STEP);

async function readBatch(
  lines: readonly Raster[],
  batch: readonly number[],
  read: ReadCharacter[][],
): Promise<void> {
  alphabet ??= latinAlphabet(readCharacters());
  const width = Math.max(...batch.map((index) => paddedWidth(lines[index]!)));
  const input = new Float32Array(batch.length * 3 * LINE_HEIGHT * width);
  for (const [row, index] of batch.entries()) fillInput(input, row, lines[index]!, width);
  const { data, dims } = await model.run(input, [batch.length, 3, LINE_HEIGHT, width]);
  const [, steps, classCount] = dims as [number, number, number];
  for (const [row, index] of batch.entries()) {
    const scores = { scores: data, from: row * steps * classCount, steps, classCount };
    read[index] = decodeSteps(scores, alphabet, usedWidth(lines[index]!) / width);
  }
}

/**
 * Fills planes of blue, green and red with values from -1 to 1, as in the training. The padding to the right
 * of the line is 0.
 */
function fillInput(input: Float32Array, row: number, line: Raster, width: number): void {
  const area = LINE_HEIGHT * width;
  const used = usedWidth(line);
  for (let channel = 0; channel < 3; channel++) {
    const plane = (row * 3 + channel) * area;
    for (let y = 0; y < LINE_HEIGHT; y++) {
      for (let x = 0; x < used; x++) {
        input[plane + y * width + x] = line.data[(y * line.width + x) * 3 + 2 - channel]! / 127.5 - 1;
      }
    }
  }
}
