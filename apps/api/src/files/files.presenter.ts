import type { FileLinks, ReadableFile, StoredFile } from '@counterfoil/files';
import contentDisposition from 'content-disposition';
import type { FileBody } from './files.answers';

const PDF = 'application/pdf';
/** What a browser may show in its place. Nothing else: HTML, SVG and XML could act in our name. */
const SHOWN = new Set([
  ...[PDF, 'text/plain'],
  ...['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/tiff', 'image/heic'],
]);
/** The bytes never change; the address may stop to open them. */
const MAX_AGE_S = 300;

export function fileRow(file: StoredFile, links: FileLinks): FileBody {
  return {
    id: file.id,
    fileName: file.fileName,
    mimeType: file.mimeType,
    size: file.size,
    sha256: file.sha256,
    remoteUrl: links.urlOf(file.id),
    createdAt: file.createdAt.toISOString(),
  };
}

/** Headers with which nothing that was uploaded is run, whatever it is and however it is opened. */
export function contentHeaders({ fileName, mimeType, size, sha256 }: ReadableFile): Record<string, string> {
  const type = SHOWN.has(mimeType) ? 'inline' : 'attachment';
  return {
    // What is UTF-16 says so by itself, which counts for more; HTML may say another.
    'content-type': mimeType === 'text/plain' ? `${mimeType}; charset=utf-8` : mimeType,
    'content-length': String(size),
    'content-disposition': contentDisposition(fileName, { type }),
    'x-content-type-options': 'nosniff',
    // Browsers show no PDF in a sandbox. Their viewers run nothing of it in our name.
    ...(mimeType === PDF ? {} : { 'content-security-policy': "default-src 'none'; sandbox" }),
    'cross-origin-resource-policy': 'cross-origin',
    ...validators(sha256),
  };
}

/** What tells a cache that it has the bytes already. */
export function validators(sha256: string): Record<string, string> {
  // By key as well: what one company's key has opened, a cache is not to give to another's.
  return { etag: etagOf(sha256), 'cache-control': `private, max-age=${MAX_AGE_S}`, vary: 'authorization' };
}

/** Whether the caller has these bytes already (RFC 9110, 13.1.2). */
export function isKnown(sha256: string, ifNoneMatch: string | undefined): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etagOf(sha256)) || known.includes('*');
}

const etagOf = (sha256: string): string => `"${sha256}"`;
