import { deflateSync } from 'node:zlib';
import { pdfOf, stream } from './pdf-file';

/** Inflates to just below the size limit. */
const OPERATIONS = 15_000_000;
const contents = new Map<number, Buffer>();

/**
 * Builds a PDF of 60 KB whose text takes any reader at least half a minute: its page contains fifteen million
 * operations without effect.
 *
 * @param salt makes the bytes unique
 * @param operations fewer of them take less time to read
 */
export function slowPdf(salt = '', operations = OPERATIONS): Buffer {
  const content = contents.get(operations) ?? contentOf(operations);
  contents.set(operations, content);
  return Buffer.concat([content, Buffer.from(`% ${salt}\n`)]);
}

const contentOf = (operations: number): Buffer =>
  pdfOf([stream(deflateSync(Buffer.from('q Q\n'.repeat(operations))), '/Filter /FlateDecode')]);
