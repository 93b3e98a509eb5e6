import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { checkLogo, LOGO_BYTES_MAX } from './check-logo';

const image = (width = 40, height = 20, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: '#0b6e4f' } });
const problem = (text: string) => ({ problem: expect.stringContaining(text) });

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const HEADER_END = 33;

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

const withChunk = (png: Buffer, added: Buffer) =>
  Buffer.concat([png.subarray(0, HEADER_END), added, png.subarray(HEADER_END)]);

describe('the check of a logo', () => {
  it.each([
    ['a PNG', () => image().png(), 'image/png'],
    ['a PNG with transparency', () => image(40, 20, 4).png(), 'image/png'],
    ['a PNG with a palette', () => image().png({ palette: true }), 'image/png'],
    ['an interlaced PNG in grey', () => image().greyscale().png({ progressive: true }), 'image/png'],
    ['a JPEG', () => image().jpeg(), 'image/jpeg'],
    ['a progressive JPEG', () => image().jpeg({ progressive: true }), 'image/jpeg'],
    ['a grey JPEG', () => image().greyscale().jpeg(), 'image/jpeg'],
    [
      'a JPEG with EXIF data',
      () =>
        image()
          .withExif({ IFD0: { Copyright: 'x' } })
          .jpeg(),
      'image/jpeg',
    ],
    ['an image of four million pixels', () => image(4_000, 1_000).png(), 'image/png'],
  ])('accepts %s', async (_, make, mediaType) => {
    expect(await checkLogo(await make().toBuffer())).toEqual({ mediaType });
  });

  it.each([
    ['a JPEG in CMYK', () => image().toColourspace('cmyk').jpeg(), 'PNG or JPEG image in RGB'],
    ['a WebP', () => image().webp(), 'PNG or JPEG'],
    ['a TIFF', () => image().tiff(), 'PNG or JPEG'],
    ['a PNG of too many pixels', () => image(4_001, 1_000).png(), '4 million pixels'],
    ['a JPEG of too many pixels', () => image(4_001, 1_000).jpeg(), '4 million pixels'],
  ])('refuses %s', async (_, make, why) => {
    expect(await checkLogo(await make().toBuffer())).toEqual(problem(why));
  });

  it.each(['', 'x', '<svg xmlns="http://www.w3.org/2000/svg"/>', '%PDF-1.7'])('refuses %j', async (text) => {
    expect(await checkLogo(Buffer.from(text))).toEqual(problem('PNG or JPEG'));
  });

  it('refuses more bytes than a page should carry', async () => {
    expect(await checkLogo(Buffer.alloc(LOGO_BYTES_MAX + 1))).toEqual(problem('512 KiB'));
  });

  it.each(['png', 'jpeg'] as const)('refuses a %s that ends before its end', async (format) => {
    const whole = await image().toFormat(format).toBuffer();
    for (let length = 8; length < whole.length - 1; length += 1)
      expect(await checkLogo(whole.subarray(0, length))).toHaveProperty('problem');
  });

  it('refuses a PNG with a wrong bit anywhere', async () => {
    const whole = await image().png().toBuffer();
    for (let at = 0; at < whole.length; at += 1) {
      const wrong = Buffer.from(whole);
      wrong[at]! ^= 4;
      expect(await checkLogo(wrong)).toHaveProperty('problem');
    }
  });

  it('refuses a profile that inflates to more than a profile has', async () => {
    const png = await image().png().toBuffer();
    const profile = (size: number) =>
      chunk('iCCP', Buffer.concat([Buffer.from('x\0\0', 'latin1'), deflateSync(Buffer.alloc(size))]));
    expect(await checkLogo(withChunk(png, profile(500_000)))).toEqual({ mediaType: 'image/png' });
    expect(await checkLogo(withChunk(png, profile(100_000_000)))).toEqual(problem('damaged'));
    expect(await checkLogo(withChunk(png, chunk('iCCP', Buffer.from('x'))))).toEqual(problem('damaged'));
    expect(await checkLogo(withChunk(withChunk(png, profile(1)), profile(1)))).toEqual(problem('damaged'));
  });

  it.each([
    ['without the palette that it names', 8, 3, Buffer.alloc(40 * 21)],
    ['with a row too few', 8, 0, Buffer.alloc(40 * 19)],
    ['of an unknown colour type', 8, 5, Buffer.alloc(41 * 20)],
    ['of a depth that makes its pixels huge', 255, 6, Buffer.alloc(20 * (1 + 40 * 4 * 32))],
  ])('refuses a PNG %s', async (_, depth, colour, rows) => {
    const header = Buffer.from([0, 0, 0, 40, 0, 0, 0, 20, depth, colour, 0, 0, 0]);
    const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
    expect(await checkLogo(Buffer.concat([SIGNATURE, ...parts]))).toEqual(problem('damaged'));
  });

  it('never throws, whatever a JPEG says about its parts', async () => {
    const whole = await image().jpeg().toBuffer();
    for (let at = 2; at < whole.length; at += 1) {
      const wrong = Buffer.from(whole);
      wrong[at] = 0xff;
      await expect(checkLogo(wrong)).resolves.toBeDefined();
    }
  });
});
