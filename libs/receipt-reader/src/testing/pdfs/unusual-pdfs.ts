import type { Unreadable } from '../../unreadable-document';
import { encode } from './encoders';
import { ENCODINGS, imagePage, pictureOf, PLACINGS } from './image-pages';
import { type PdfObject, type Structure, writePdf } from './pdf-writer';
import { Random } from './random';
import { filterEntry, FRAMES, plantedBy, SHOWN, type TextPage, textPage, WRAPPINGS } from './text-pages';

/** A valid PDF that few programs write like this. */
export interface UnusualPdf {
  readonly name: string;
  /** The total that must be found, or the reason for which the document must be refused. */
  readonly expected: number | Unreadable;
  readonly make: () => Promise<Buffer>;
}

const FILTER_CHAINS: readonly (readonly string[])[] = [
  [],
  ['FlateDecode'],
  ['LZWDecode'],
  ['ASCII85Decode'],
  ['ASCIIHexDecode'],
  ['RunLengthDecode'],
  ['ASCII85Decode', 'FlateDecode'],
  ['ASCIIHexDecode', 'LZWDecode'],
  ['FlateDecode', 'FlateDecode'],
  ['FlateDecode', 'ASCII85Decode'],
  ['RunLengthDecode', 'FlateDecode', 'ASCIIHexDecode'],
];

const STRUCTURES: Readonly<Record<string, Structure>> = {
  table: {},
  'xref stream': { xref: 'stream' },
  'object stream': { xref: 'stream', isPacked: true },
  hybrid: { xref: 'hybrid' },
  'without xref': { xref: 'none' },
  linearised: { isLinearised: true },
  'lines of DOS': { lineEnd: '\r\n' },
  'lines of old Macs': { lineEnd: '\r' },
  'obj alone': { isObjAlone: true },
  'obj alone, lines of DOS': { isObjAlone: true, lineEnd: '\r\n' },
  'indirect lengths': { hasIndirectLengths: true },
  'bytes before and after': { before: 'mail header\r\n\r\n', after: '\n\0\0\0\0' },
  'RC4 of 40 bits': { encryption: 'rc4-40' },
  'RC4 of 128 bits': { encryption: 'rc4-128' },
  'AES of 128 bits': { encryption: 'aes-128' },
  'AES of 256 bits': { encryption: 'aes-256' },
  'AES of 256 bits, packed': { encryption: 'aes-256', xref: 'stream', isPacked: true },
  'AES of 128 bits, xref stream': { encryption: 'aes-128', xref: 'stream' },
};

const TEXT_PDFS = 400;

/** Returns more than 500 documents: the same ones each time. Nearly all show an invoice with a total. */
export function unusualPdfs(): readonly UnusualPdf[] {
  return [...textPdfs(), ...updatedPdfs(), ...imagePdfs(), ...refusedPdfs()];
}

/** Every choice occurs with many of the others. */
function* textPdfs(): Generator<UnusualPdf> {
  const [shown, frames, wrappings] = [SHOWN, FRAMES, WRAPPINGS].map((choices) => Object.keys(choices));
  const structures = Object.keys(STRUCTURES);
  for (let number = 0; number < TEXT_PDFS; number++) {
    const random = new Random(number);
    const page: TextPage = {
      shown: shown![number % shown!.length]!,
      frame: random.of(frames!),
      wrapping: random.of(wrappings!),
      filters: FILTER_CHAINS[number % FILTER_CHAINS.length]!,
    };
    const structure = structures[number % structures.length]!;
    const planted = plantedBy(random);
    yield {
      name: `text ${number}: ${page.shown}, ${page.frame}, ${page.wrapping}, ${page.filters.join('+') || 'plain'}, ${structure}`,
      expected: Number(planted.total),
      make: () => Promise.resolve(writePdf(textPage(planted, page), STRUCTURES[structure])),
    };
  }
}

/** Incremental updates that replace the invoice. */
function* updatedPdfs(): Generator<UnusualPdf> {
  for (let number = 0; number < 10; number++) {
    const random = new Random(1_000 + number);
    const page: TextPage = {
      shown: 'Tj',
      frame: 'A4',
      wrapping: 'directly',
      filters: FILTER_CHAINS[number]!,
    };
    const [before, planted] = [plantedBy(random), plantedBy(random)];
    const objects = textPage(planted, page);
    const content = objects.length - 1;
    const outdated = { number: content, object: textPage(before, page)[content - 1]! };
    yield {
      name: `updated ${number}`,
      expected: Number(planted.total),
      make: () => Promise.resolve(writePdf(objects, { outdated, isObjAlone: number % 2 === 1 })),
    };
  }
}

function* imagePdfs(): Generator<UnusualPdf> {
  const placings = Object.keys(PLACINGS);
  const structures = Object.keys(STRUCTURES);
  for (const [number, [encoding, encoded]] of Object.entries(ENCODINGS).entries()) {
    for (let variant = 0; variant < 4; variant++) {
      const random = new Random(2_000 + 4 * number + variant);
      const placing = placings[(number + 2 * variant) % placings.length]!;
      const structure = variant === 0 ? 'table' : random.of(structures);
      const planted = plantedBy(random);
      yield {
        name: `image ${number}.${variant}: ${encoding}, ${placing}, ${structure}`,
        expected: Number(planted.total),
        make: async () => {
          const images: readonly PdfObject[] = await encoded(await pictureOf(planted));
          return writePdf(imagePage(images, placing), STRUCTURES[structure]);
        },
      };
    }
  }
}

const BOMB_BYTES = 80 * 1024 * 1024;

/** Locked, cut off, and decompression bombs. */
function* refusedPdfs(): Generator<UnusualPdf> {
  const page: TextPage = { shown: 'Tj', frame: 'A4', wrapping: 'directly', filters: ['FlateDecode'] };
  const objects = textPage(plantedBy(new Random(3_000)), page);
  for (const encryption of ['rc4-40', 'rc4-128', 'aes-128', 'aes-256'] as const) {
    const make = () => Promise.resolve(writePdf(objects, { encryption, userPassword: 'secret' }));
    yield { name: `refused: ${encryption} with a password`, expected: 'encrypted', make };
  }
  for (const [name, structure] of Object.entries(STRUCTURES)) {
    const make = () => Promise.resolve(writePdf(objects, structure).subarray(0, -200));
    yield { name: `refused: cut off, ${name}`, expected: 'damaged', make };
  }
  for (const filters of [
    ['FlateDecode'],
    ['FlateDecode', 'FlateDecode'],
    ['ASCIIHexDecode', 'FlateDecode'],
  ]) {
    for (const structure of [
      {},
      { isObjAlone: true },
      { hasIndirectLengths: true },
      { lineEnd: '\r\n' } as const,
    ]) {
      const make = () => {
        const bomb = { text: filterEntry(filters), data: encode(Buffer.alloc(BOMB_BYTES, ' '), filters) };
        return Promise.resolve(writePdf([...objects.slice(0, -1), bomb], structure));
      };
      const name = `refused: bomb, ${filters.join('+')}, ${JSON.stringify(structure)}`;
      yield { name, expected: 'too-large', make };
    }
  }
}
