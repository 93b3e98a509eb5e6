import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { encode, pngPredicted, tiffPredicted } from './encoders';
import type { PdfObject } from './pdf-writer';
import { linesOf, type Planted } from './text-pages';

const [WIDTH, HEIGHT] = [880, 640];
const SIZE = `/Type /XObject /Subtype /Image /Width ${WIDTH} /Height ${HEIGHT}`;

/** A picture of the invoice, in a few forms. */
interface Picture {
  readonly rgb: Buffer;
  readonly grey: Buffer;
  readonly cmyk: Buffer;
  /** One bit a pixel, 1 is white. */
  readonly bits: Buffer;
  readonly image: () => sharp.Sharp;
}

/** An encoding of the picture: the image, and the objects to which it refers, from 4. */
type Encoding = (picture: Picture) => Promise<readonly PdfObject[]> | readonly PdfObject[];

export async function pictureOf(planted: Planted): Promise<Picture> {
  const texts = linesOf(planted).map(
    ([text, x, line]) => `<text x="${x * 1.3}" y="${60 + 52 * line}" font-size="34">${text}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="white"/><g font-family="DejaVu Sans">${texts.join('')}</g></svg>`;
  const rgb = await sharp(Buffer.from(svg))
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .raw()
    .toBuffer();
  const image = () => sharp(rgb, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
  const grey = await image().toColourspace('b-w').raw().toBuffer();
  return { rgb, grey, cmyk: inked(rgb), bits: bitsOf(grey), image };
}

const inked = (rgb: Buffer): Buffer =>
  Buffer.from(
    Array.from({ length: (rgb.length / 3) * 4 }, (_, index) =>
      index % 4 === 3 ? 0 : 255 - rgb[(index >> 2) * 3 + (index % 4)]!,
    ),
  );

function bitsOf(grey: Buffer): Buffer {
  const bits = Buffer.alloc((WIDTH / 8) * HEIGHT);
  for (const [index, value] of grey.entries()) if (value > 127) bits[index >> 3]! |= 0x80 >> (index & 7);
  return bits;
}

const inverted = (data: Buffer): Buffer => Buffer.from(data.map((byte) => 255 - byte));
const packed = (grey: Buffer, bits: 2 | 4): Buffer => {
  const each = 8 / bits;
  return Buffer.from(
    Array.from({ length: grey.length / each }, (_, index) =>
      Array.from({ length: each }).reduce<number>(
        (byte, _, part) => (byte << bits) | (grey[index * each + part]! >> (8 - bits)),
        0,
      ),
    ),
  );
};
const image = (entries: string, data: Buffer): PdfObject => ({ text: `${SIZE} ${entries}`, data });
const flate = (entries: string, data: Buffer): PdfObject =>
  image(`${entries} /Filter /FlateDecode`, deflateSync(data));
const GREY8 = '/ColorSpace /DeviceGray /BitsPerComponent 8';
const RGB8 = '/ColorSpace /DeviceRGB /BitsPerComponent 8';
const ONE_BIT = '/ColorSpace /DeviceGray /BitsPerComponent 1';
const jpeg = (picture: sharp.Sharp, options: sharp.JpegOptions = {}) =>
  picture.jpeg({ quality: 90, ...options }).toBuffer();

/** The data of the only tile of a TIFF in the coding of fax group 4; 0 is white in it, as in PDF. */
export async function faxOf({ image: picture }: Picture): Promise<Buffer> {
  const tiff = await picture()
    .toColourspace('b-w')
    .threshold(128)
    .tiff({ compression: 'ccittfax4', bitdepth: 1, tile: true, tileWidth: WIDTH, tileHeight: HEIGHT })
    .toBuffer();
  const at = tiff.readUInt32LE(4);
  const tags = new Map(
    Array.from({ length: tiff.readUInt16LE(at) }, (_, index) => {
      const entry = at + 2 + 12 * index;
      return [
        tiff.readUInt16LE(entry),
        { type: tiff.readUInt16LE(entry + 2), count: tiff.readUInt32LE(entry + 4), at: entry + 8 },
      ];
    }),
  );
  const values = (tag: number): number[] => {
    const { type, count, at: place } = tags.get(tag)!;
    const size = type === 3 ? 2 : 4;
    const from = count * size > 4 ? tiff.readUInt32LE(place) : place;
    return Array.from({ length: count }, (_, index) =>
      type === 3 ? tiff.readUInt16LE(from + 2 * index) : tiff.readUInt32LE(from + 4 * index),
    );
  };
  const [offsets, lengths] = [values(324), values(325)];
  if (offsets.length !== 1) throw new Error('the fax has several tiles');
  return tiff.subarray(offsets[0], offsets[0]! + lengths[0]!);
}

/** JBIG2 for a PDF: the page, and one region in the coding of fax group 4. */
export function jbig2Of(fax: Buffer): Buffer {
  const region = (kind: number, data: Buffer, number: number) => {
    const head = Buffer.alloc(11);
    head.writeUInt32BE(number, 0);
    head.set([kind, 0, 1], 4);
    head.writeUInt32BE(data.length, 7);
    return Buffer.concat([head, data]);
  };
  const page = Buffer.alloc(19);
  page.writeUInt32BE(WIDTH, 0);
  page.writeUInt32BE(HEIGHT, 4);
  const place = Buffer.alloc(18);
  place.writeUInt32BE(WIDTH, 0);
  place.writeUInt32BE(HEIGHT, 4);
  // The last byte is the flag for the coding of fax group 4.
  place[17] = 1;
  return Buffer.concat([region(48, page, 0), region(38, Buffer.concat([place, fax]), 1)]);
}

const mask = (entries: string, data: Buffer): PdfObject => flate(entries, data);
const all = (value: number): Buffer => Buffer.alloc(WIDTH * HEIGHT, value);

export const ENCODINGS: Readonly<Record<string, Encoding>> = {
  JPEG: async ({ image: picture }) => [image(`${RGB8} /Filter /DCTDecode`, await jpeg(picture()))],
  'progressive JPEG': async ({ image: picture }) => [
    image(`${RGB8} /Filter /DCTDecode`, await jpeg(picture(), { progressive: true })),
  ],
  'grey JPEG': async ({ image: picture }) => [
    image(`${GREY8} /Filter /DCTDecode`, await jpeg(picture().toColourspace('b-w'))),
  ],
  'CMYK JPEG': async ({ image: picture }) => [
    image(
      '/ColorSpace /DeviceCMYK /BitsPerComponent 8 /Decode [1 0 1 0 1 0 1 0] /Filter /DCTDecode',
      await jpeg(picture().toColourspace('cmyk')),
    ),
  ],
  'JPEG in letters': async ({ image: picture }) => [
    image(`${RGB8} /Filter [/ASCII85Decode /DCTDecode]`, encode(await jpeg(picture()), ['ASCII85Decode'])),
  ],
  'deflated JPEG': async ({ image: picture }) => [
    image(`${RGB8} /Filter [/FlateDecode /DCTDecode]`, deflateSync(await jpeg(picture()))),
  ],
  RGB: ({ rgb }) => [flate(RGB8, rgb)],
  grey: ({ grey }) => [flate(GREY8, grey)],
  'uncompressed grey': ({ grey }) => [image(GREY8, grey)],
  CMYK: ({ cmyk }) => [flate('/ColorSpace /DeviceCMYK /BitsPerComponent 8', cmyk)],
  'one bit': ({ bits }) => [flate(ONE_BIT, bits)],
  'inverted bits': ({ bits }) => [flate(`${ONE_BIT} /Decode [1 0]`, inverted(bits))],
  'two bits': ({ grey }) => [flate('/ColorSpace /DeviceGray /BitsPerComponent 2', packed(grey, 2))],
  'four bits': ({ grey }) => [flate('/ColorSpace /DeviceGray /BitsPerComponent 4', packed(grey, 4))],
  'sixteen bits': ({ grey }) => [
    flate(
      '/ColorSpace /DeviceGray /BitsPerComponent 16',
      Buffer.from([...grey].flatMap((value) => [value, value])),
    ),
  ],
  palette: ({ bits }) => [
    flate('/ColorSpace [/Indexed /DeviceRGB 1 <202060ffffee>] /BitsPerComponent 1', bits),
  ],
  'calibrated RGB': ({ rgb }) => [
    flate(
      '/ColorSpace [/CalRGB << /WhitePoint [0.9505 1 1.089] /Gamma [2.2 2.2 2.2] >>] /BitsPerComponent 8',
      rgb,
    ),
  ],
  'profile that is damaged': ({ rgb }) => [
    flate('/ColorSpace [/ICCBased 4 0 R] /BitsPerComponent 8', rgb),
    { text: '/N 3 /Alternate /DeviceRGB', data: Buffer.from('not a profile') },
  ],
  separation: ({ grey }) => [
    flate(
      '/ColorSpace [/Separation /Ink /DeviceGray << /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1 >>] /BitsPerComponent 8',
      inverted(grey),
    ),
  ],
  Lab: ({ grey }) => [
    flate(
      '/ColorSpace [/Lab << /WhitePoint [0.9642 1 0.8249] /Range [-128 127 -128 127] >>] /BitsPerComponent 8',
      Buffer.from([...grey].flatMap((value) => [value, 128, 128])),
    ),
  ],
  'PNG predictor': ({ rgb }) => [
    flate(
      `${RGB8} /DecodeParms << /Predictor 15 /Colors 3 /Columns ${WIDTH} >>`,
      pngPredicted(rgb, 3 * WIDTH, 3),
    ),
  ],
  'TIFF predictor': ({ rgb }) => [
    flate(
      `${RGB8} /DecodeParms << /Predictor 2 /Colors 3 /Columns ${WIDTH} >>`,
      tiffPredicted(rgb, 3 * WIDTH, 3),
    ),
  ],
  LZW: ({ bits }) => [image(`${ONE_BIT} /Filter /LZWDecode`, encode(bits, ['LZWDecode']))],
  'run lengths': ({ bits }) => [
    image(`${ONE_BIT} /Filter /RunLengthDecode`, encode(bits, ['RunLengthDecode'])),
  ],
  'hexadecimal digits': ({ bits }) => [
    image(`${ONE_BIT} /Filter /ASCIIHexDecode`, encode(bits, ['ASCIIHexDecode'])),
  ],
  fax: async (picture) => [
    image(
      `${ONE_BIT} /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns ${WIDTH} /Rows ${HEIGHT} >>`,
      await faxOf(picture),
    ),
  ],
  'fax without rows': async (picture) => [
    image(
      `${ONE_BIT} /Filter [/CCITTFaxDecode] /DecodeParms [<< /K -1 /Columns ${WIDTH} >>]`,
      await faxOf(picture),
    ),
  ],
  JBIG2: async (picture) => [image(`${ONE_BIT} /Filter /JBIG2Decode`, jbig2Of(await faxOf(picture)))],
  stencil: ({ bits }) => [flate('/ImageMask true /BitsPerComponent 1 /Decode [0 1]', bits)],
  'soft mask': ({ rgb, grey }) => [
    flate(`${RGB8} /SMask 4 0 R`, Buffer.alloc(rgb.length, 20)),
    mask(GREY8, inverted(grey)),
  ],
  'opaque soft mask': async ({ image: picture }) => [
    image(`${RGB8} /SMask 4 0 R /Filter /DCTDecode`, await jpeg(picture())),
    mask(GREY8, all(255)),
  ],
  'stencil mask': ({ rgb, bits }) => [
    flate(`${RGB8} /Mask 4 0 R`, Buffer.alloc(rgb.length, 20)),
    mask('/ImageMask true /BitsPerComponent 1', bits),
  ],
  'colour key': ({ rgb }) => [flate(`${RGB8} /Mask [255 255 255 255 255 255]`, rgb)],
};

/** Ways to put the image, which is object 3, onto the page. */
interface Placing {
  readonly page: string;
  readonly content: string;
  readonly resources?: string;
}

const DRAWN = `q ${WIDTH / 2} 0 0 ${HEIGHT / 2} 0 0 cm /Im Do Q`;
const BOX = `/MediaBox [0 0 ${WIDTH / 2} ${HEIGHT / 2}]`;
const LYING = `/MediaBox [0 0 ${HEIGHT / 2} ${WIDTH / 2}]`;

export const PLACINGS: Readonly<Record<string, Placing>> = {
  'on its page': { page: BOX, content: DRAWN },
  'on A4': { page: '/MediaBox [0 0 595 842]', content: `1 0 0 1 60 400 cm ${DRAWN}` },
  'turned by the page': {
    page: `${LYING} /Rotate 90`,
    content: `q 0 ${WIDTH / 2} ${-HEIGHT / 2} 0 ${HEIGHT / 2} 0 cm /Im Do Q`,
  },
  'turned on the page': {
    page: LYING,
    content: `q 0 ${WIDTH / 2} ${-HEIGHT / 2} 0 ${HEIGHT / 2} 0 cm /Im Do Q`,
  },
  'upside down': { page: `${BOX} /Rotate 180`, content: DRAWN },
  'with another origin': {
    page: `/MediaBox [-500 -500 ${WIDTH / 2 - 500} ${HEIGHT / 2 - 500}]`,
    content: `1 0 0 1 -500 -500 cm ${DRAWN}`,
  },
  'with hidden text': { page: BOX, content: `${DRAWN} BT 3 Tr /F1 8 Tf 10 10 Td (Scan 1) Tj ET` },
  'in a layer that is on': {
    page: BOX,
    content: `/OC /L BDC ${DRAWN} EMC`,
    resources: '/Properties << /L << /Type /OCG /Name (L) >> >>',
  },
};

/** The objects of a PDF with one image on one page. */
export function imagePage(images: readonly PdfObject[], placing: string): PdfObject[] {
  const { page, content, resources = '' } = PLACINGS[placing]!;
  const number = 3 + images.length;
  const font = '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>';
  return [
    { text: '<< /Type /Catalog /Pages 2 0 R >>' },
    { text: `<< /Type /Pages /Count 1 /Kids [${number} 0 R] >>` },
    ...images,
    {
      text: `<< /Type /Page /Parent 2 0 R ${page} /Contents ${number + 1} 0 R /Resources << ${font} /XObject << /Im 3 0 R >> ${resources} >> >>`,
    },
    { text: '', data: Buffer.from(content) },
  ];
}
