import { deflateSync } from 'node:zlib';
import { pdfOf, stream } from './pdf-file';

/** Inflates to just less than what is refused. */
const OPERATIONS = 15_000_000;
let content: Buffer | undefined;

/**
 * A PDF of 60 KB that no reader of text is through with in less than half a minute: its page does nothing, fifteen
 * million times.
 *
 * @param salt makes its bytes differ from those of others
 */
export function slowPdf(salt = ''): Buffer {
  content ??= pdfOf([stream(deflateSync(Buffer.from('q Q\n'.repeat(OPERATIONS))), '/Filter /FlateDecode')]);
  return Buffer.concat([content, Buffer.from(`% ${salt}\n`)]);
}
