import { deflateSync } from 'node:zlib';
import { pdfOf, stream } from '@counterfoil/test-harness';
import { UnreadableDocument } from '../unreadable-document';
import { encode } from '../testing/pdfs/encoders';
import { refuseBombs } from './refuse-bombs';

const MIB = 1024 * 1024;
/** Some filters are decoded byte by byte, which takes seconds on a busy machine. */
const LIMIT_MS = 60_000;
const deflated = (size: number) => deflateSync(Buffer.alloc(size, ' '));
const FLATE = '/Filter /FlateDecode';
const TWICE = '/Filter [/FlateDecode /FlateDecode]';
const runs = (size: number) =>
  Buffer.concat([Buffer.alloc(size / 64, Buffer.from([0x81, 0x20])), Buffer.from([0x80])]);
const hex = (data: Buffer) => Buffer.from(`${data.toString('hex')}>`);
/** The codes for equal bytes: each is the sequence before and one more byte. */
function lzw(rounds: number, earlyChange = 1): Buffer {
  const bits: string[] = [];
  const put = (code: number, width: number) => bits.push(code.toString(2).padStart(width, '0'));
  for (let round = 0; round < rounds; round++) {
    put(256, round === 0 ? 9 : 12);
    put(32, 9);
    for (let code = 258; code < 4_095; code++)
      put(code, Math.max(9, Math.floor(Math.log2(code + earlyChange)) + 1));
  }
  const bytes = bits.join('').match(/.{1,8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => parseInt(byte.padEnd(8, '0'), 2)));
}
const accepted = (pdf: Buffer) => expect(refuseBombs(pdf)).resolves.toBeUndefined();
const refused = (pdf: Buffer) =>
  expect(refuseBombs(pdf)).rejects.toMatchObject({ constructor: UnreadableDocument, reason: 'too-large' });

describe('a PDF with an image', () => {
  const image = (bits: string) =>
    pdfOf([
      stream(
        deflated(64),
        `/Subtype /Image /Width 8 /Height 8 /BitsPerComponent ${bits} /ColorSpace /DeviceRGB ${FLATE}`,
      ),
    ]);

  it.each(['1', '8', '16'])('of %s bits for each component is accepted', async (bits) => {
    await accepted(image(bits));
  });

  it.each(['17', '99999999999999999999', '1e30'])('of %s is damaged', async (bits) => {
    await expect(refuseBombs(image(bits))).rejects.toMatchObject({ reason: 'damaged' });
  });
});

describe('a compressed PDF is accepted', () => {
  it('if it is about as large as real pages', async () => {
    await accepted(pdfOf([stream(deflated(MIB), FLATE)]));
    await accepted(Buffer.from('%PDF-1.4 stream without an end'));
    await accepted(pdfOf([stream(Buffer.alloc(MIB, 7), FLATE)]));
  });

  it('if it is compressed twice', async () => {
    await accepted(pdfOf([stream(deflateSync(deflated(MIB)), TWICE)]));
  });

  it.each(['\n', '\r\n', '\r'])('if the keyword obj is on a line of its own: %j', async (lineEnd) => {
    const objects = [1, 2, 3].map((number) =>
      Buffer.concat([
        Buffer.from(`${number} 0${lineEnd}obj${lineEnd}`),
        stream(deflated(MIB), FLATE),
        Buffer.from(`${lineEnd}endobj${lineEnd}`),
      ]),
    );
    await accepted(Buffer.concat([Buffer.from('%PDF-1.4\n'), ...objects]));
  });

  it('if its image is large', async () => {
    const image = `/Subtype /Image /Width 8000 /Height 7000 /BitsPerComponent 8 /ColorSpace /DeviceGray ${FLATE}`;
    await accepted(pdfOf([stream(deflated(65 * MIB), image)]));
  });
});

describe('a large PDF with many streams is measured in linear time', () => {
  const DATA = deflateSync('q Q');
  /** The bytes are in no stream: a search for something that is not there reads all of them. */
  const large = (objects: readonly Buffer[]) =>
    Buffer.concat([Buffer.from('%PDF-1.4\n'), ...objects, Buffer.alloc(16 * MIB, 'x')]);
  const objects = (count: number, streamOf: (number: number) => readonly (Buffer | string)[]) =>
    Array.from({ length: count }, (_, index) =>
      Buffer.concat(streamOf(index + 1).map((part) => Buffer.from(part))),
    );

  it.each(['\n', '\r'])('if their lengths are objects of their own: %j', async (end) => {
    const pdf = large(
      objects(5_000, (number) => [
        `${2 * number} 0 obj${end}<< /Length ${2 * number + 1} 0 R ${FLATE} >>${end}stream\r\n`,
        ...[DATA, `${end}endstream${end}endobj${end}`],
        `${2 * number + 1} 0 obj${end}${DATA.length}${end}endobj${end}`,
      ]),
    );
    await accepted(pdf);
  });

  it('if their ends are missing', async () => {
    await accepted(
      large(objects(5_000, (number) => [`${number} 0 obj\n<< /Filter /ASCIIHexDecode >>\nstream\n41>\n`])),
    );
  });

  it('but refused if it has more streams than any receipt', async () => {
    await refused(
      Buffer.concat(objects(50_001, (number) => [`\n${number} 0 obj\n<<>>\nstream\n\nendstream`])),
    );
  });
});

describe('a decompression bomb is refused', () => {
  it.each([
    ['deflate', deflated(65 * MIB), FLATE],
    ['an escaped name', deflated(65 * MIB), '/Filter /Flate#44ecode'],
    ['an abbreviation', deflated(65 * MIB), '/Filter /Fl'],
    ['a long dictionary', deflated(65 * MIB), `/A (${'x'.repeat(2_000)}) ${FLATE}`],
    ['the word obj in the dictionary', deflated(65 * MIB), `/A (an obj) ${FLATE}`],
    ['deflate, twice', deflateSync(deflated(65 * MIB)), TWICE],
    ['deflate within hexadecimal digits', hex(deflated(65 * MIB)), '/Filter [/ASCIIHexDecode /FlateDecode]'],
    ['run lengths', runs(128 * MIB), '/Filter /RunLengthDecode'],
    ['deflate, then run lengths', deflateSync(runs(128 * MIB)), '/Filter [/FlateDecode /RunLengthDecode]'],
    ['LZW', lzw(12), '/Filter /LZWDecode'],
    ['LZW without early change', lzw(12, 0), '/Filter /LZWDecode /DecodeParms << /EarlyChange 0 >>'],
    [
      'LZW without early change within LZW',
      encode(lzw(12, 0), ['LZWDecode']),
      '/Filter [/LZWDecode /LZWDecode] /DecodeParms [null << /EarlyChange 0 >>]',
    ],
    ['LZW three times', Buffer.alloc(MIB), '/Filter [/LZWDecode /LZWDecode /LZWDecode]'],
    ['an object stream', deflated(65 * MIB), `/Type /ObjStm /N 1 /First 4 ${FLATE}`],
    [
      'the keyword endstream in its data',
      deflateSync(Buffer.concat([Buffer.from('endstream'), Buffer.alloc(65 * MIB)]), { level: 9 }),
      FLATE,
    ],
    ['damage at its end', Buffer.concat([deflated(65 * MIB).subarray(0, -9), Buffer.alloc(9, 1)]), FLATE],
  ])(
    'with %s',
    async (_, data, dictionary) => {
      await refused(pdfOf([stream(data, dictionary)]));
    },
    LIMIT_MS,
  );

  it(
    'with a list of filters in an object of its own',
    async () => {
      const objects = [Buffer.from('[/FlateDecode]')];
      await refused(pdfOf([stream(deflated(65 * MIB), '/Filter 3 0 R')], { objects }));
    },
    LIMIT_MS,
  );

  it(
    'if its streams are too large together',
    async () => {
      await refused(pdfOf(Array.from({ length: 6 }, () => stream(deflated(60 * MIB), FLATE))));
    },
    LIMIT_MS,
  );
});
