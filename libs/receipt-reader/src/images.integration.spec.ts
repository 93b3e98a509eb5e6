import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Place } from './place';

// The engines have native parts, which do not run inside Jest, so a separate process runs the compiled code.
const COMPILED = path.resolve(__dirname, '../../../dist/libs/receipt-reader/src');
const SAMPLES = path.resolve(__dirname, '../samples');
const CHILD = `
  const fs = require('node:fs');
  const path = require('node:path');
  const sharp = require('sharp');
  const { readDocument } = require(process.argv[1] + '/read-document.js');
  const sample = (name) => fs.readFileSync(path.join(process.argv[2], name));
  const options = { today: '2026-11-22' };
  const made = {
    png: () => sharp(sample('fax.tif')).png().toBuffer(),
    webp: () => sample('photo.webp'),
    'turned by 90': () => sharp(sample('photo.webp')).rotate(90).jpeg().toBuffer(),
    'turned by 180': () => sharp(sample('photo.webp')).rotate(180).jpeg().toBuffer(),
    'turned by 270': () => sharp(sample('photo.webp')).rotate(270).jpeg().toBuffer(),
    'turned by EXIF': () => sample('turned-photo.jpg'),
    'tilted by 3': () => sharp(sample('fax.tif')).rotate(3, { background: 'white' }).png().toBuffer(),
    grey16: () => sharp(sample('fax.tif')).toColourspace('grey16').png().toBuffer(),
    cmyk: () => sharp(sample('fax.tif')).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer(),
    transparent: () => sharp(sample('fax.tif')).ensureAlpha(0.999).png().toBuffer(),
    palette: () => sharp(sample('fax.tif')).png({ palette: true }).toBuffer(),
    'three pages': () => pages(3),
    'three pages, without time': () => pages(3),
    'twelve pages': () => pages(12),
    'three pages, the first damaged': async () => damaged(await pages(3), [1]),
    'three pages, the first damaged, without time': async () => damaged(await pages(3), [1]),
    'three pages, the second damaged': async () => damaged(await pages(3), [2]),
    'three pages, all damaged': async () => damaged(await pages(3), [1, 2, 3]),
    blank: () => blank(500, 700),
    dot: () => blank(1, 1),
    strip: () => blank(2400, 40),
    'cut in half': async () => half(await sharp(sample('photo.webp')).jpeg().toBuffer(), 0.5),
    'cut at its end': async () => half(await sharp(sample('photo.webp')).jpeg().toBuffer(), 0.97),
    'with more behind it': async () => Buffer.concat([sample('turned-photo.jpg'), Buffer.from('something else')]),
  };
  const blank = (width, height) => sharp({ create: { width, height, channels: 3, background: 'white' } }).png().toBuffer();
  const half = (bytes, share) => bytes.subarray(0, Math.floor(bytes.length * share));
  async function pages(count) {
    const page = await sharp(await blank(300, 300)).raw().toBuffer();
    const all = Buffer.concat(Array.from({ length: count }, () => page));
    return sharp(all, { raw: { width: 300, height: 300 * count, channels: 3, pageHeight: 300 } }).tiff({ compression: 'deflate' }).toBuffer();
  }
  /** Overwrites the first strip of these pages. */
  function damaged(tiff, numbers) {
    for (let number = 1, at = tiff.readUInt32LE(4); at !== 0; number++) {
      const count = tiff.readUInt16LE(at);
      const [offsets] = Array.from({ length: count }, (_, index) => at + 2 + 12 * index).filter((entry) => tiff.readUInt16LE(entry) === 273);
      const isOne = tiff.readUInt32LE(offsets + 4) === 1;
      const strip = isOne ? tiff.readUInt32LE(offsets + 8) : tiff.readUInt32LE(tiff.readUInt32LE(offsets + 8));
      if (numbers.includes(number)) tiff.fill(0xff, strip, strip + 8);
      at = tiff.readUInt32LE(at + 2 + 12 * count);
    }
    return tiff;
  }
  (async () => {
    const answers = {};
    for (const [name, make] of Object.entries(made)) {
      try {
        const limits = name.endsWith('without time') ? { ms: 0, cpuMs: 0, busyMs: 0 } : undefined;
        const parts = [];
        const onPart = ({ reading }) => parts.push(reading.pages);
        answers[name] = { ...(await readDocument(await make(), { ...options, limits, onPart })).reading, parts };
      } catch (error) {
        answers[name] = { error: error.reason ?? error.stack };
      }
    }
    console.log(JSON.stringify(answers));
    process.exit(0);
  })();
`;

interface Answer {
  readonly error?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly places?: Readonly<Record<string, Place>>;
  readonly source?: string;
  readonly pages?: number;
  readonly pageCount?: number;
  readonly unreadablePages?: number;
  readonly parts?: readonly number[];
}

describe('an image', () => {
  const truth = JSON.parse(fs.readFileSync(path.join(SAMPLES, 'truth.json'), 'utf8')) as Record<
    string,
    Record<string, unknown>
  >;
  let answers: Readonly<Record<string, Answer>>;

  beforeAll(() => {
    const printed = execFileSync(process.execPath, ['-e', CHILD, COMPILED, SAMPLES], {
      cwd: path.resolve(__dirname, '../../..'),
    });
    answers = JSON.parse(printed.toString()) as Record<string, Answer>;
  }, 120_000);

  it.each([
    ['png', 'fax.tif'],
    ['grey16', 'fax.tif'],
    ['cmyk', 'fax.tif'],
    ['transparent', 'fax.tif'],
    ['palette', 'fax.tif'],
    ['tilted by 3', 'fax.tif'],
    ['webp', 'photo.webp'],
    ['turned by 90', 'photo.webp'],
    ['turned by 180', 'photo.webp'],
    ['turned by 270', 'photo.webp'],
    ['turned by EXIF', 'turned-photo.jpg'],
    ['with more behind it', 'turned-photo.jpg'],
  ])('is read: %s', (name, sample) => {
    const { fields = {}, source, pages, error } = answers[name]!;
    expect({ error, source, pages }).toEqual({ error: undefined, source: 'ocr', pages: 1 });
    const { total, date, vendorTaxId } = truth[sample]!;
    expect(fields).toMatchObject({ total, date, vendorTaxId });
  });

  it.each([
    ['turned by 90', (u: number, v: number) => [1 - v, u]],
    ['turned by 180', (u: number, v: number) => [1 - u, 1 - v]],
    ['turned by 270', (u: number, v: number) => [v, 1 - u]],
  ])('has the places of its fields where it shows them: %s', (name, turned) => {
    const middleOf = ({ x, y, width, height }: Place) => [x + width / 2, y + height / 2] as const;
    const { places: upright = {} } = answers['webp']!;
    const { places = {} } = answers[name]!;
    expect(Object.keys(places)).toEqual(expect.arrayContaining(['total', 'date', 'vendorTaxId']));
    for (const field of ['total', 'date', 'vendorTaxId']) {
      const [x = 0, y = 0] = turned(...middleOf(upright[field]!));
      const found = middleOf(places[field]!);
      expect(Math.hypot(found[0] - x, found[1] - y)).toBeLessThan(0.02);
    }
  });

  it.each([
    ['three pages', 3],
    ['twelve pages', 10],
    ['blank', 1],
    ['dot', 1],
    ['strip', 1],
  ])('without text has no fields: %s', (name, pages) => {
    expect(answers[name]).toMatchObject({ fields: {}, pages });
  });

  it('is read page by page, as long as there is time', () => {
    expect(answers['three pages']).toMatchObject({ pages: 3, parts: [1, 2] });
    expect(answers['three pages']).not.toHaveProperty('pageCount');
    expect(answers['three pages, without time']).toMatchObject({ pages: 1, pageCount: 3, parts: [1] });
    expect(answers['twelve pages']).toMatchObject({ pages: 10, pageCount: 12 });
  });

  it.each([
    ['three pages, the first damaged', { pages: 2, pageCount: 3, unreadablePages: 1, parts: [1] }],
    ['three pages, the second damaged', { pages: 2, pageCount: 3, unreadablePages: 1, parts: [1, 2] }],
    [
      'three pages, the first damaged, without time',
      { pages: 1, pageCount: 3, unreadablePages: 1, parts: [1] },
    ],
  ])('is read without its damaged pages: %s', (name, expected) => {
    expect(answers[name]).toMatchObject(expected);
  });

  it.each(['three pages, all damaged', 'cut in half', 'cut at its end'])('that is %s is damaged', (name) => {
    expect(answers[name]).toEqual({ error: 'damaged' });
  });
});
