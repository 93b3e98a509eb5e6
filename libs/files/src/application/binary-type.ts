/** The time limit of detection, far above what an ordinary file takes. */
const TIME_LIMIT_MS = 2_000;

/** Types for which the library needs data that may lie far behind the beginning. */
const BEGINNINGS: readonly (readonly [bytes: string, mimeType: string])[] = [
  ['49492a00', 'image/tiff'],
  ['4d4d002a', 'image/tiff'],
  ['89504e470d0a1a0a', 'image/png'],
];
/** Readers of PDF accept other bytes before this mark. */
const PDF_MARK = '%PDF-';
const PDF_MARK_WITHIN = 1_024;

/**
 * Detects the type of a binary file by its first bytes (contract §13.2). Never fails, and takes little time and memory
 * for any bytes, because the library reads only the given part.
 *
 * @returns null if the library knows no such type
 */
export async function binaryTypeOf(head: Buffer): Promise<string | null> {
  // Loaded with the first file, because most processes and tests never need it.
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
