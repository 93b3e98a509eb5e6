import path from 'node:path';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { UnreadableDocument } from '../unreadable-document';
import { loadPdfjs } from './load-pdfjs';
import { refuseBombs } from './refuse-bombs';

const HEAD_BYTES = 2_048;
/** Bytes after the end of a PDF, from careless programs, are tolerated up to this size. */
const TAIL_BYTES = 64 * 1_024;
/** Pixels of one image inside a PDF; larger ones are left blank. A page at 600 dpi has 35 million. */
const IMAGE_PIXELS_MAX = 60_000_000;

/**
 * Opens a PDF; one that is encrypted without a password opens like any other. The caller destroys it
 * (`loadingTask.destroy()`). Neither scripts nor actions are run, and nothing is fetched.
 *
 * @throws UnreadableDocument `encrypted`, `damaged`, `too-large`
 */
export async function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isCutOff(file)) throw new UnreadableDocument('damaged', 'the end of the PDF is missing');
  refuseBombs(file);
  const { getDocument, VerbosityLevel } = await loadPdfjs();
  const folder = path.dirname(require.resolve('pdfjs-dist/package.json'));
  const task = getDocument({
    // A copy: pdfjs detaches the memory from its owner.
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
    enableXfa: false,
    useSystemFonts: false,
    disableFontFace: true,
    maxImageSize: IMAGE_PIXELS_MAX,
    cMapUrl: `${folder}/cmaps/`,
    standardFontDataUrl: `${folder}/standard_fonts/`,
    wasmUrl: `${folder}/wasm/`,
    iccUrl: `${folder}/iccs/`,
  });
  try {
    return await task.promise;
  } catch (error) {
    await task.destroy();
    throw unreadable(error);
  }
}

/** Half an invoice reads well and has another total: what lacks its end is refused, though much of it could be shown. */
function isCutOff(file: Buffer): boolean {
  // Made to be shown while it loads, a file has an end near its beginning, and says how long it is.
  const [dictionary = ''] = /\/Linearized\b[^>]*/.exec(file.toString('latin1', 0, HEAD_BYTES)) ?? [];
  const [, length] = /\/L\s+(\d+)/.exec(dictionary) ?? [];
  if (length !== undefined && file.length < Number(length)) return true;
  return !file.subarray(-TAIL_BYTES).includes('%%EOF') && !file.subarray(-TAIL_BYTES).includes('startxref');
}

function unreadable(error: unknown): UnreadableDocument {
  const isLocked = error instanceof Error && error.name === 'PasswordException';
  if (isLocked) return new UnreadableDocument('encrypted', 'the PDF asks for a password');
  return new UnreadableDocument('damaged', 'the PDF cannot be opened');
}
