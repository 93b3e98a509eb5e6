/** Whether a caller takes gzip, by its `Accept-Encoding`. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  return accepts(header, /^\s*gzip\s*(;\s*q=(0\.\d*[1-9]|1)|$)/i);
}

/** Whether a caller takes brotli. */
export function acceptsBrotli(header: string | string[] | undefined): boolean {
  return accepts(header, /^\s*br\s*(;\s*q=(0\.\d*[1-9]|1)|$)/i);
}

function accepts(header: string | string[] | undefined, coding: RegExp): boolean {
  return String(header ?? '')
    .split(',')
    .some((one) => coding.test(one));
}
