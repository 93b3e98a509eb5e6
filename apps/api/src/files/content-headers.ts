import type { StoredFile } from '@counterfoil/files';
import contentDisposition from 'content-disposition';

const PDF = 'application/pdf';
/** The types that a browser may show inline. Not HTML, SVG or XML, which could run scripts in our origin. */
const SHOWN = new Set([
  ...[PDF, 'text/plain'],
  ...['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/tiff', 'image/heic'],
]);
/**
 * Without `sandbox`, in which browsers do not show a PDF, and with styles and plugins allowed, which their viewers use.
 * The viewers do not run scripts of a PDF in our origin.
 */
const PDF_POLICY = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

/** A file whose bytes are sent. */
export type SentContent = Pick<StoredFile, 'fileName' | 'mimeType' | 'size' | 'sha256'>;

/** Response headers that keep a browser from running scripts contained in an uploaded file. */
export function contentHeaders(file: SentContent): Record<string, string> {
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

/** The headers that a 304 has, too. A client may keep its copy and validate it by `etag`. */
export function validators({ mimeType, sha256 }: SentContent): Record<string, string> {
  return {
    etag: etagOf(sha256),
    'content-security-policy': mimeType === PDF ? PDF_POLICY : POLICY,
    // Any page may show an image by its link.
    'cross-origin-resource-policy': 'cross-origin',
  };
}

/** Whether the caller already has these bytes (RFC 9110, 13.1.2). */
export function isKnown(sha256: string, ifNoneMatch: string | undefined): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etagOf(sha256)) || known.includes('*');
}

const etagOf = (sha256: string): string => `"${sha256}"`;
