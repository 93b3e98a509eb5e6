import { encode } from './encoders';
import type { PdfObject } from './pdf-writer';
import type { Random } from './random';

/** The planted figures of a document. */
export interface Planted {
  readonly number: string;
  readonly net: string;
  readonly tax: string;
  readonly total: string;
}

export function plantedBy(random: Random): Planted {
  const net = 5_000 + random.below(200_000);
  const tax = Math.round(net * 0.19);
  const money = (cents: number) => (cents / 100).toFixed(2);
  return {
    number: `INV-${1_000 + random.below(9_000)}`,
    net: money(net),
    tax: money(tax),
    total: money(net + tax),
  };
}

/** The lines of an invoice: text, left edge, line from the top. */
export function linesOf({
  number,
  net,
  tax,
  total,
}: Planted): readonly (readonly [string, number, number])[] {
  return [
    ['Corner Trading Ltd', 50, 0],
    ['12 High Street, London', 50, 1],
    [`Invoice number ${number}`, 50, 3],
    ['Date 2024-03-05', 50, 4],
    ['Paper and envelopes', 50, 6],
    [`${net}`, 320, 6],
    ['Net', 50, 8],
    [`EUR ${net}`, 320, 8],
    ['VAT 19%', 50, 9],
    [`EUR ${tax}`, 320, 9],
    ['Total', 50, 10],
    [`EUR ${total}`, 320, 10],
  ];
}

type Show = (text: string, x: number, y: number) => string;

const codesOf = (text: string, bytes: number) =>
  [...text]
    .map((letter) =>
      letter
        .charCodeAt(0)
        .toString(16)
        .padStart(2 * bytes, '0'),
    )
    .join('');
const escaped = (text: string) => text.replace(/[\\()]/g, '\\$&');

/** The operators that show a line of text in 12 points. */
export const SHOWN: Readonly<Record<string, Show>> = {
  Tj: (text, x, y) => `BT /F1 12 Tf ${x} ${y} Td (${escaped(text)}) Tj ET`,
  TJ: (text, x, y) =>
    `BT /F1 12 Tf ${x} ${y} Td [${[...text].map((letter) => `(${escaped(letter)}) -15`).join(' ')}] TJ ET`,
  hexadecimal: (text, x, y) => `BT /F1 12 Tf ${x} ${y} Td <${codesOf(text, 1)}> Tj ET`,
  octal: (text, x, y) =>
    `BT /F1 12 Tf ${x} ${y} Td (${[...text].map((letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')}) Tj ET`,
  apostrophe: (text, x, y) => `BT /F1 12 Tf 14 TL ${x} ${y + 14} Td (${escaped(text)}) ' ET`,
  quote: (text, x, y) => `BT /F1 12 Tf 14 TL ${x} ${y + 14} Td 0.5 0.1 (${escaped(text)}) " ET`,
  matrix: (text, x, y) => `BT /F1 1 Tf 12 0 0 12 ${x} ${y} Tm (${escaped(text)}) Tj ET`,
  'flipped matrix': (text, x, y) =>
    `q 1 0 0 -1 0 842 cm BT /F1 12 Tf 1 0 0 -1 ${x} ${842 - y} Tm (${escaped(text)}) Tj ET Q`,
  spaced: (text, x, y) => `BT /F1 12 Tf 0.3 Tc 1 Tw 95 Tz ${x} ${y} Td (${escaped(text)}) Tj ET`,
  outlined: (text, x, y) => `BT /F1 12 Tf 1 Tr ${x} ${y} Td (${escaped(text)}) Tj ET`,
  composite: (text, x, y) => `BT /F2 12 Tf ${x} ${y} Td <${codesOf(text, 2)}> Tj ET`,
  differences: (text, x, y) => `BT /F3 12 Tf ${x} ${y} Td (${escaped(text)}) Tj ET`,
};

const TO_UNICODE = Buffer.from(
  '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def /CMapType 2 def ' +
    '1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0020> <007e> <0020> endbfrange endcmap end end',
);

/** Fonts F1 (Helvetica), F2 (composite, not embedded) and F3 (an encoding of its own). */
export const FONTS =
  '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> ' +
  '/F2 << /Type /Font /Subtype /Type0 /BaseFont /Arial /Encoding /Identity-H /ToUnicode 3 0 R /DescendantFonts [' +
  '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Arial /DW 556 /CIDSystemInfo 4 0 R ' +
  '/FontDescriptor << /Type /FontDescriptor /FontName /Arial /Flags 32 /ItalicAngle 0 /Ascent 905 /Descent -212 ' +
  '/CapHeight 716 /StemV 80 /FontBBox [-665 -325 2000 1040] >> >>] >> ' +
  '/F3 << /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding << /Type /Encoding /BaseEncoding /MacRomanEncoding /Differences [69 /E 84 /T] >> >> >>';
/** The objects 3 and 4, to which the fonts refer. */
export const FONT_OBJECTS: readonly PdfObject[] = [
  { text: '', data: TO_UNICODE },
  { text: '<< /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>' },
];

/** The frame of a page: its dictionary entries, and the matrix that moves the drawing into it. */
interface Frame {
  readonly page: string;
  readonly matrix: string;
}

export const FRAMES: Readonly<Record<string, Frame>> = {
  A4: { page: '/MediaBox [0 0 595 842]', matrix: '1 0 0 1 0 0' },
  letter: { page: '/MediaBox [0 0 612.0 792.00]', matrix: '1 0 0 1 0 -50' },
  'turned by 90': { page: '/MediaBox [0 0 842 595] /Rotate 90', matrix: '0 1 -1 0 842 0' },
  'turned by 180': { page: '/MediaBox [0 0 595 842] /Rotate 180', matrix: '-1 0 0 -1 595 842' },
  'turned by -90': { page: '/MediaBox [0 0 842 595] /Rotate -90', matrix: '0 -1 1 0 0 595' },
  'turned by 450': { page: '/MediaBox [0 0 842 595] /Rotate 450', matrix: '0 1 -1 0 842 0' },
  'drawn sideways': { page: '/MediaBox [0 0 842 595]', matrix: '0 -1 1 0 0 595' },
  'with another origin': { page: '/MediaBox [-300 -400 295 442]', matrix: '1 0 0 1 -300 -400' },
  'with swapped corners': { page: '/MediaBox [595 842 0 0]', matrix: '1 0 0 1 0 0' },
  cropped: { page: '/MediaBox [0 0 1000 1200] /CropBox [200 200 795 1042]', matrix: '1 0 0 1 200 200' },
  'in large units': { page: '/MediaBox [0 0 297.5 421] /UserUnit 2', matrix: '0.5 0 0 0.5 0 0' },
  poster: { page: '/MediaBox [0 0 2380 3368]', matrix: '4 0 0 4 0 0' },
  'with a small scale': { page: '/MediaBox [0 0 595 842]', matrix: '0.6 0 0 0.6 100 200' },
};

/** Ways to put the drawing onto the page; the result is the content of the page and further objects from 5. */
type Wrapping = (
  content: string,
  filters: readonly string[],
) => {
  readonly contents: readonly string[];
  readonly resources?: string;
  readonly objects?: readonly PdfObject[];
};

const form = (content: string, filters: readonly string[], resources: string): PdfObject => ({
  text: `/Type /XObject /Subtype /Form /BBox [-5000 -5000 5000 5000] /Resources << ${FONTS} ${resources} >> ${filterEntry(filters)}`,
  data: encode(Buffer.from(content, 'latin1'), filters),
});

export const WRAPPINGS: Readonly<Record<string, Wrapping>> = {
  directly: (content) => ({ contents: [content] }),
  'in pieces': (content) => ({ contents: content.split(/(?<=ET)\n/) }),
  'in a form': (content, filters) => ({
    contents: ['/Fm Do'],
    resources: '/XObject << /Fm 5 0 R >>',
    objects: [form(content, filters, '')],
  }),
  'in nested forms': (content, filters) => ({
    contents: ['q 1 0 0 1 10 5 cm /Fm Do Q'],
    resources: '/XObject << /Fm 5 0 R >>',
    objects: [
      form('q 1 0 0 1 -10 -5 cm /Fm Do Q', filters, '/XObject << /Fm 6 0 R >>'),
      form('/Fm Do', [], '/XObject << /Fm 7 0 R >>'),
      form(content, filters, ''),
    ],
  }),
  'as marked content': (content) => ({
    contents: [`/P << /MCID 0 >> BDC\n${content}\nEMC /Artifact BMC EMC`],
  }),
  'in a layer': (content) => ({
    contents: [`/OC /L BDC\n${content}\nEMC`],
    resources: '/Properties << /L << /Type /OCG /Name (L) >> >>',
  }),
  clipped: (content) => ({ contents: [`q -9000 -9000 18000 18000 re W n\n${content}\nQ`] }),
  'with a transparent group': (content, filters) => ({
    contents: ['/G gs /Fm Do'],
    resources: '/XObject << /Fm 5 0 R >> /ExtGState << /G << /Type /ExtGState /ca 0.8 /BM /Multiply >> >>',
    objects: [
      {
        ...form(content, filters, ''),
        text: `${form(content, filters, '').text} /Group << /S /Transparency /I true >>`,
      },
    ],
  }),
  'beside unknown operators': (content) => ({ contents: [`BX 1 2 unknown EX\n${content}\n% a comment (\n`] }),
  'beside an inline image': (content) => ({
    contents: [`q 9 0 0 9 5 5 cm BI /W 8 /H 2 /BPC 1 /CS /G ID \xaa\x55 EI Q\n${content}`],
  }),
};

export const filterEntry = (filters: readonly string[]): string => {
  if (filters.length === 0) return '';
  return filters.length === 1
    ? `/Filter /${filters[0]}`
    : `/Filter [${filters.map((name) => `/${name}`).join(' ')}]`;
};

export interface TextPage {
  readonly shown: string;
  readonly frame: string;
  readonly wrapping: string;
  readonly filters: readonly string[];
}

/** The objects of a PDF with an invoice as text on one page. The content streams are the last objects. */
export function textPage(planted: Planted, { shown, frame, wrapping, filters }: TextPage): PdfObject[] {
  const { page, matrix } = FRAMES[frame]!;
  const show = SHOWN[shown]!;
  const drawing = linesOf(planted)
    .map(([text, x, line]) => show(text, x, 780 - 20 * line))
    .join('\n');
  const { contents, resources = '', objects = [] } = WRAPPINGS[wrapping]!(drawing, filters);
  const all = [`q ${matrix} cm `, ...contents, ' Q'];
  const first = 5 + objects.length + 1;
  const references = all.map((_, index) => `${first + index} 0 R`).join(' ');
  return [
    { text: `<< /Type /Catalog /Pages 2 0 R >>` },
    { text: `<< /Type /Pages /Count 1 /Kids [${first - 1} 0 R] /Resources << ${FONTS} ${resources} >> >>` },
    ...FONT_OBJECTS,
    ...objects,
    { text: `<< /Type /Page /Parent 2 0 R ${page} /Contents [${references}] >>` },
    ...all.map((content) => ({
      text: filterEntry(filters),
      data: encode(Buffer.from(content, 'latin1'), filters),
    })),
  ];
}
