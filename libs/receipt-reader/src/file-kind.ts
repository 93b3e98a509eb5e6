import { UnreadableDocument } from './unreadable-document';
import { decodeText } from './text/decode-text';

export type DocumentKind = 'pdf' | 'png' | 'jpeg' | 'webp' | 'tiff' | 'heic' | 'html' | 'txt' | 'xml';

type TextKind = 'html' | 'txt' | 'xml';

const EXTENSIONS: Readonly<Record<string, DocumentKind>> = {
  pdf: 'pdf',
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  webp: 'webp',
  tif: 'tiff',
  tiff: 'tiff',
  heic: 'heic',
  heif: 'heic',
  html: 'html',
  htm: 'html',
  txt: 'txt',
  xml: 'xml',
};

const SIGNATURES: readonly (readonly [pattern: RegExp, kind: DocumentKind])[] = [
  [/^\x89PNG\r\n\x1a\n/, 'png'],
  [/^\xff\xd8\xff/, 'jpeg'],
  [/^RIFF[^]{4}WEBP/, 'webp'],
  [/^(II[*+]\0|MM\0[*+])/, 'tiff'],
  [/^[^]{4}ftyp(hei[cxms]|hev[cxms]|mif1|msf1)/, 'heic'],
];
/** Other bytes may precede the header of a PDF; PDF readers skip them. */
const PDF_MARK = '%PDF-';
const PDF_MARK_WITHIN = 1_024;
const HEAD_BYTES = 4 * 1_024;
const CONTROL = /[^\P{Cc}\t\n\v\f\r\u001b\u0085]/gu;
/** Unsupported text formats: PostScript and RTF. */
const OTHER_TEXT = /^(%!PS|\{\\rtf)/;
const HTML_TAG =
  /^<(!doctype\s+html|(html|head|body|title|meta|style|script|table|div|p|span|center|font|h[1-6]|br|img|a|ul|section|article|main|header|form)\b)/i;

/** Returns the kind by the file extension, ignoring case, or undefined for an unsupported extension. */
export function kindOfExtension(fileName: string): DocumentKind | undefined {
  const extension = /\.([a-z]{1,5})$/i.exec(fileName.trim())?.[1]?.toLowerCase();
  return extension !== undefined && Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
}

const IMAGES: readonly DocumentKind[] = ['png', 'jpeg', 'webp', 'tiff', 'heic'];

/** True if the kind is an image, which needs OCR. A PDF may also need OCR, depending on its content. */
export function isImage(kind: DocumentKind): boolean {
  return IMAGES.includes(kind);
}

/** Returns the image kind of a media type, or undefined if it is not a supported image. */
export function imageOfMediaType(mediaType: string): DocumentKind | undefined {
  const kind = /^image\/([a-z]+)$/.exec(mediaType)?.[1];
  const known = kind === 'heif' ? 'heic' : kind;
  return IMAGES.find((image) => image === known);
}

/**
 * Returns the kind of the bytes, or undefined if it is not supported. The signature of a PDF or an image
 * overrides the declared kind. Text has its declared kind, or else the kind that its beginning indicates.
 *
 * @throws UnreadableDocument `damaged` if a PDF or an image is declared and the bytes have no such signature
 */
export function kindOfBytes(bytes: Uint8Array, declaredKind?: DocumentKind): DocumentKind | undefined {
  const signed = kindOfSignature(bytes);
  if (signed) return signed;
  if (declaredKind !== undefined && !isTextKind(declaredKind))
    throw new UnreadableDocument('damaged', `the content does not match the declared kind ${declaredKind}`);
  const looksLike = kindOfText(bytes);
  return looksLike && (declaredKind ?? looksLike);
}

function isTextKind(kind: DocumentKind): kind is TextKind {
  return kind === 'html' || kind === 'txt' || kind === 'xml';
}

function kindOfSignature(bytes: Uint8Array): DocumentKind | undefined {
  const head = Buffer.from(bytes.subarray(0, PDF_MARK_WITHIN)).toString('latin1');
  const [, kind] = SIGNATURES.find(([pattern]) => pattern.test(head)) ?? [];
  return kind ?? (head.includes(PDF_MARK) ? 'pdf' : undefined);
}

function kindOfText(bytes: Uint8Array): TextKind | undefined {
  const head = decodeText(bytes.subarray(0, HEAD_BYTES));
  if (!isText(head)) return undefined;
  const text = head.replace(/^(\s|\ufeff|<!--[^]*?-->)+/, '');
  if (OTHER_TEXT.test(text)) return undefined;
  if (HTML_TAG.test(text)) return 'html';
  if (/^<\?xml\b/.test(text)) return /<html\b/i.test(text) ? 'html' : 'xml';
  return /^<([a-z_][\w.-]*:)?[a-z_][\w.-]*[\s/>]|^<!doctype\s/i.test(text) ? 'xml' : 'txt';
}

/** Text has few control characters besides white space, and no zero bytes. */
function isText(head: string): boolean {
  const controls = head.match(CONTROL)?.length ?? 0;
  return head !== '' && !head.includes('\0') && controls * 50 <= head.length;
}
