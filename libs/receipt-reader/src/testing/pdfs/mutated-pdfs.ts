import { Random } from './random';

type Mutation = (pdf: Buffer, random: Random, other: Buffer) => Buffer;

const NUMBERS = [
  '0',
  '-1',
  '1',
  '65536',
  '2147483648',
  '-2147483649',
  '4294967296',
  '1e30',
  '99999999999999999999',
  '0.5',
];
const TOKENS = [
  '<<',
  '>>',
  '[',
  ']',
  '(',
  ')',
  'obj',
  'endobj',
  'stream',
  'endstream',
  'null',
  '/',
  '%',
  '1 0 R',
  '3 0 R',
  'xref',
  'trailer',
  '%%EOF',
];
const NAMES = [
  ...[
    '/FlateDecode',
    '/LZWDecode',
    '/DCTDecode',
    '/JPXDecode',
    '/JBIG2Decode',
    '/CCITTFaxDecode',
    '/RunLengthDecode',
  ],
  ...[
    '/ASCII85Decode',
    '/Image',
    '/Form',
    '/Page',
    '/Pages',
    '/Type3',
    '/DeviceCMYK',
    '/Indexed',
    '/Pattern',
    '/XRef',
    '/ObjStm',
  ],
];

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'flipped bits': (pdf, random) => {
    const result = Buffer.from(pdf);
    for (let times = 1 + random.below(20); times > 0; times--)
      result[random.below(pdf.length)]! ^= 1 << random.below(8);
    return result;
  },
  'random bytes': (pdf, random) => {
    const at = random.below(pdf.length);
    return replaced(
      pdf,
      at,
      at + random.below(64),
      Buffer.from(Array.from({ length: random.below(64) }, () => random.below(256))),
    );
  },
  'a piece left out': (pdf, random) => {
    const at = random.below(pdf.length);
    return replaced(pdf, at, at + random.below(pdf.length / 4), '');
  },
  'a piece twice': (pdf, random) => {
    const at = random.below(pdf.length);
    return replaced(pdf, at, at, pdf.subarray(at, at + random.below(2_000)));
  },
  'cut off': (pdf, random) => pdf.subarray(0, random.below(pdf.length)),
  'cut off, with its end': (pdf, random) =>
    Buffer.concat([pdf.subarray(0, random.below(pdf.length)), pdf.subarray(-60)]),
  'another number': (pdf, random) =>
    withMatch(pdf, random, /(?<=[ [\n])-?\d+(?:\.\d+)?(?=[ \]\n\r])/g, () => random.of(NUMBERS)),
  'other numbers': (pdf, random) =>
    [1, 2, 3, 4, 5, 6].reduce(
      (result) => withMatch(result, random, /(?<=[ [\n])-?\d+(?=[ \]\n\r])/g, () => random.of(NUMBERS)),
      pdf,
    ),
  'another reference': (pdf, random) => withMatch(pdf, random, /\d+ 0 R/g, () => `${random.below(12)} 0 R`),
  'another name': (pdf, random) => withMatch(pdf, random, /\/[A-Z][A-Za-z0-9]+/g, () => random.of(NAMES)),
  'another key': (pdf, random) => withMatch(pdf, random, /\/[A-Z][A-Za-z0-9]+/g, (name) => `${name}x`),
  'a token more': (pdf, random) => {
    const at = random.below(pdf.length);
    return replaced(pdf, at, at, ` ${random.of(TOKENS)} `);
  },
  'a token less': (pdf, random) =>
    withMatch(pdf, random, /<<|>>|\[|\]|endobj|endstream|stream|obj\b/g, () => ''),
  'pieces of two': (pdf, random, other) =>
    Buffer.concat([pdf.subarray(0, random.below(pdf.length)), other.subarray(random.below(other.length))]),
  'one after the other': (pdf, _, other) => Buffer.concat([pdf, other]),
};

function replaced(pdf: Buffer, from: number, to: number, by: string | Buffer): Buffer {
  const piece = typeof by === 'string' ? Buffer.from(by, 'latin1') : by;
  return Buffer.concat([pdf.subarray(0, from), piece, pdf.subarray(to)]);
}

/** Replaces one of the matches, outside of most binary data. */
function withMatch(pdf: Buffer, random: Random, pattern: RegExp, by: (found: string) => string): Buffer {
  const matches = [...pdf.toString('latin1').matchAll(pattern)];
  if (matches.length === 0) return pdf;
  const { 0: found, index } = random.of(matches);
  return replaced(pdf, index, index + found.length, by(found));
}

/** The same damaged form of one of the documents for each number. */
export function mutatedPdf(
  number: number,
  documents: readonly Buffer[],
): { readonly name: string; readonly bytes: Buffer } {
  const random = new Random(0x5eed + number);
  const [pdf, other] = [random.of(documents), random.of(documents)];
  const mutation = random.of(Object.keys(MUTATIONS));
  return { name: `mutated ${number}: ${mutation}`, bytes: MUTATIONS[mutation]!(pdf, random, other) };
}
