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

/** For a page that the service has made. The page contains a stricter policy, which allows only its own style. */
const OWN_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A file whose bytes are sent. */
export interface SentContent extends Pick<StoredFile, 'fileName' | 'mimeType' | 'size' | 'sha256'> {
  /** Whether it is a page that the service has made of data: unlike an uploaded one, a browser may show it. */
  readonly isOwnPage?: boolean;
}

/** Response headers that keep a browser from running scripts contained in an uploaded file. */
export function contentHeaders(file: SentContent): Record<string, string> {
  const { fileName, mimeType, size, isOwnPage = false } = file;
  const type = isOwnPage || SHOWN.has(mimeType) ? 'inline' : 'attachment';
  return {
    // The byte order mark of UTF-16 wins over this; uploaded HTML may declare another charset.
    'content-type': isOwnPage || mimeType === 'text/plain' ? `${mimeType}; charset=utf-8` : mimeType,
    'content-length': String(size),
    'content-disposition': contentDisposition(fileName, { type }),
    ...validators(file),
  };
}

/** The headers that a 304 has, too. A client may keep its copy and validate it by `etag`. */
export function validators(file: SentContent): Record<string, string> {
  return {
    etag: etagOf(file.sha256),
    'content-security-policy': policyOf(file),
    // Any page may show an image by its link.
    'cross-origin-resource-policy': 'cross-origin',
  };
}

function policyOf({ mimeType, isOwnPage = false }: SentContent): string {
  if (isOwnPage) return OWN_PAGE_POLICY;
  return mimeType === PDF ? PDF_POLICY : POLICY;
}

/** Whether the caller already has these bytes (RFC 9110, 13.1.2). */
export function isKnown(sha256: string, ifNoneMatch: string | undefined): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etagOf(sha256)) || known.includes('*');
}

const etagOf = (sha256: string): string => `"${sha256}"`;
