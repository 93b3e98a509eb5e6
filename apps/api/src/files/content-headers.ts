import type { ReadableFile } from '@counterfoil/files';
import contentDisposition from 'content-disposition';

const PDF = 'application/pdf';
/** The types that a browser may show inline. HTML, SVG and XML are not among them: they could run scripts in our origin. */
const SHOWN = new Set([
  ...[PDF, 'text/plain'],
  ...['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/tiff', 'image/heic'],
]);
/** The bytes never change, but a link to them may expire. */
const MAX_AGE_S = 300;

/** Headers that keep a browser from running anything that was uploaded. */
export function contentHeaders(file: ReadableFile): Record<string, string> {
  const { fileName, mimeType, size } = file;
  const type = SHOWN.has(mimeType) ? 'inline' : 'attachment';
  return {
    // The byte order mark of UTF-16 wins over this; HTML may declare another charset.
    'content-type': mimeType === 'text/plain' ? `${mimeType}; charset=utf-8` : mimeType,
    'content-length': String(size),
    'content-disposition': contentDisposition(fileName, { type }),
    ...validators(file),
  };
}

/** Headers by which a cache validates its copy. A 304 carries them too and updates the cached ones. */
export function validators({ mimeType, sha256 }: ReadableFile): Record<string, string> {
  return {
    etag: etagOf(sha256),
    'cache-control': `private, max-age=${MAX_AGE_S}`,
    // By key as well: a cache must not give one company's file to another.
    vary: 'authorization',
    'x-content-type-options': 'nosniff',
    // Browsers show no PDF in a sandbox; their viewers run no script of it in our origin.
    ...(mimeType === PDF ? {} : { 'content-security-policy': "default-src 'none'; sandbox" }),
    // A link may be embedded anywhere.
    'cross-origin-resource-policy': 'cross-origin',
  };
}

/** Whether the caller already has these bytes (RFC 9110, 13.1.2). */
export function isKnown(sha256: string, ifNoneMatch: string | undefined): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etagOf(sha256)) || known.includes('*');
}

const etagOf = (sha256: string): string => `"${sha256}"`;
