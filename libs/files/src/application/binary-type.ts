/** Longer than any honest file takes by far; looking on is given up. */
const TIME_LIMIT_MS = 2_000;

/** Where the library looks for more than their beginning, which may stand far behind it. */
const BEGINNINGS: readonly (readonly [bytes: string, mimeType: string])[] = [
  ['49492a00', 'image/tiff'],
  ['4d4d002a', 'image/tiff'],
  ['89504e470d0a1a0a', 'image/png'],
];
/** A PDF may begin with something else, which its readers pass over. */
const PDF_MARK = '%PDF-';
const PDF_MARK_WITHIN = 1_024;

/**
 * The type of a binary file, by the bytes that it begins with (contract §13.2). Never fails, and takes little time
 * and memory whatever the bytes are: the library reads a part of them as if they were the whole file.
 *
 * @returns null if the library knows no such type
 */
export async function binaryTypeOf(head: Buffer): Promise<string | null> {
  // Loaded with the first file: most processes and most tests never see one.
  const { FileTypeParser } = await import('file-type');
  const parser = new FileTypeParser({ signal: AbortSignal.timeout(TIME_LIMIT_MS) });
  try {
    const type = await parser.fromBuffer(head);
    return type?.mime ?? byBeginning(head);
  } catch {
    return byBeginning(head);
  }
}

function byBeginning(head: Buffer): string | null {
  const beginning = head.toString('hex', 0, 8);
  const [, type] = BEGINNINGS.find(([bytes]) => beginning.startsWith(bytes)) ?? [];
  if (type !== undefined) return type;
  return head.subarray(0, PDF_MARK_WITHIN).includes(PDF_MARK) ? 'application/pdf' : null;
}
