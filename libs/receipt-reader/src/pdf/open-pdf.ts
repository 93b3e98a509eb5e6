import path from 'node:path';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { UnreadableDocument } from '../unreadable-document';
import { CanvasFactory } from './canvas-factory';
import { loadPdfjs } from './load-pdfjs';
import { refuseBombs } from './refuse-bombs';

const HEAD_BYTES = 2_048;
/** Maximum size of trailing bytes after the end of a PDF, which some programs write. */
const TAIL_BYTES = 64 * 1_024;
/**
 * Maximum pixels of one image inside a PDF; larger images are left blank. A page at 600 dpi has 35 million.
 */
const IMAGE_PIXELS_MAX = 60_000_000;

/**
 * Opens a PDF, including one that is encrypted with an empty password. The caller must destroy it
 * (`loadingTask.destroy()`). Scripts and actions are not run, and nothing is fetched.
 *
 * @throws UnreadableDocument `encrypted`, `damaged`, `too-large`
 */
export async function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isCutOff(file)) throw new UnreadableDocument('damaged', 'the end of the PDF is missing');
  await refuseBombs(file);
  const { getDocument, VerbosityLevel } = await loadPdfjs();
  const folder = path.dirname(require.resolve('pdfjs-dist/package.json'));
  const task = getDocument({
    // A copy, because pdfjs detaches the buffer that it gets.
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
    enableXfa: false,
    useSystemFonts: false,
    disableFontFace: true,
    CanvasFactory,
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

/**
 * A truncated file is refused even if most of it could be rendered, because half an invoice can look complete
 * with another total.
 */
function isCutOff(file: Buffer): boolean {
  // A linearized file also has an end marker near its beginning, but states its length.
  const [dictionary = ''] = /\/Linearized\b[^>]*/.exec(file.toString('latin1', 0, HEAD_BYTES)) ?? [];
  const [, length] = /\/L\s+(\d+)/.exec(dictionary) ?? [];
  if (length !== undefined && file.length < Number(length)) return true;
  return !file.subarray(-TAIL_BYTES).includes('%%EOF') && !file.subarray(-TAIL_BYTES).includes('startxref');
}

function unreadable(error: unknown): UnreadableDocument {
  const isLocked = error instanceof Error && error.name === 'PasswordException';
  if (isLocked) return new UnreadableDocument('encrypted', 'the PDF requires a password');
  return new UnreadableDocument('damaged', 'the PDF cannot be opened');
}
