import { decodeText } from './decode-text';

/** Browsers look for the declaration so far. */
const DECLARED_WITHIN = 1_024;
/** In `<meta charset=…>`, in its older form with `http-equiv`, and in an XML declaration. */
const DECLARED =
  /<meta\b[^>]{0,300}?\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})|<\?xml[^>]{0,100}\bencoding\s*=\s*["']([\w.:-]{1,40})/i;

/** The text of an HTML page, by its byte order mark, its declaration, and what the bytes look like. */
export function decodeHtml(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, DECLARED_WITHIN)).toString('latin1');
  const [, meta, xml] = DECLARED.exec(head) ?? [];
  return decodeText(bytes, meta ?? xml);
}
