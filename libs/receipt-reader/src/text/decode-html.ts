import { decodeText } from './decode-text';

/** Browsers search for the declaration within this many bytes. */
const DECLARED_WITHIN = 1_024;
const TAG = /<(?:meta\b|\?xml)[^>]*/gi;
/** In `<meta charset=…>`, in its older form with `http-equiv`, or in an XML declaration. */
const DECLARED =
  /^<meta.*\bcharset\s*=\s*(?:["']\s*)?([\w.:-]{1,40})|^<\?xml.*\bencoding\s*=\s*["']([\w.:-]{1,40})/is;

/** Decodes an HTML page by its byte order mark, its declared encoding or its bytes. */
export function decodeHtml(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, DECLARED_WITHIN)).toString('latin1');
  for (const [tag] of head.matchAll(TAG)) {
    const [, meta, xml] = DECLARED.exec(tag) ?? [];
    const declared = meta ?? xml;
    if (declared !== undefined) return decodeText(bytes, declared);
  }
  return decodeText(bytes);
}
