/** Whether a caller takes gzip, by its `Accept-Encoding`. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  const codings = String(header ?? '').split(',');
  return codings.some((coding) => /^\s*gzip\s*(;\s*q=(0\.\d*[1-9]|1)|$)/i.test(coding));
}
