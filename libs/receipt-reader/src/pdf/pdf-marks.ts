const OBJECT = Buffer.from(' 0 obj');
const END = Buffer.from('endstream');
const [LINE_FEED, CARRIAGE_RETURN, ZERO, NINE] = [0x0a, 0x0d, 0x30, 0x39];
const DIGITS_MAX = 10;

/**
 * Finds objects and ends of streams. Each is searched for once in the whole file, because a search from every
 * stream would take quadratic time.
 */
export class PdfMarks {
  private objects: ReadonlyMap<number, number> | undefined;
  private nextEnd: number | undefined;

  constructor(private readonly pdf: Buffer) {}

  /** Index of the keyword of an object, or -1. The last of several is the current one. */
  object(number: number): number {
    this.objects ??= objectsIn(this.pdf);
    return this.objects.get(number) ?? -1;
  }

  /** Index of the next keyword `endstream`, or -1. Call this with increasing places. */
  endAfter(at: number): number {
    if (this.nextEnd === undefined || (this.nextEnd !== -1 && this.nextEnd < at))
      this.nextEnd = this.pdf.indexOf(END, at);
    return this.nextEnd;
  }
}

/** Indexes of the objects that begin a line, by their numbers. */
function objectsIn(pdf: Buffer): ReadonlyMap<number, number> {
  const objects = new Map<number, number>();
  for (let at = pdf.indexOf(OBJECT); at !== -1; at = pdf.indexOf(OBJECT, at + OBJECT.length)) {
    const number = numberBefore(pdf, at);
    if (number !== undefined) objects.set(number, at);
  }
  return objects;
}

function numberBefore(pdf: Buffer, end: number): number | undefined {
  let number = 0;
  let from = end;
  for (let unit = 1; from > 0 && end - from < DIGITS_MAX && isDigit(pdf[from - 1]!); unit *= 10) {
    from -= 1;
    number += unit * (pdf[from]! - ZERO);
  }
  const before = pdf[from - 1];
  return from < end && (before === LINE_FEED || before === CARRIAGE_RETURN) ? number : undefined;
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;
