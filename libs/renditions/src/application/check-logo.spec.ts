import sharp from 'sharp';
import { checkLogo, LOGO_BYTES_MAX } from './check-logo';

const image = (width = 40, height = 20, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: '#0b6e4f' } });
const problem = (text: string) => ({ problem: expect.stringContaining(text) });

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
    expect(checkLogo(await make().toBuffer())).toEqual({ mediaType });
  });

  it.each([
    ['a JPEG in CMYK', () => image().toColourspace('cmyk').jpeg(), 'PNG or JPEG image in RGB'],
    ['a WebP', () => image().webp(), 'PNG or JPEG'],
    ['a TIFF', () => image().tiff(), 'PNG or JPEG'],
    ['a PNG of too many pixels', () => image(4_001, 1_000).png(), '4 million pixels'],
    ['a JPEG of too many pixels', () => image(4_001, 1_000).jpeg(), '4 million pixels'],
  ])('refuses %s', async (_, make, why) => {
    expect(checkLogo(await make().toBuffer())).toEqual(problem(why));
  });

  it.each(['', 'x', '<svg xmlns="http://www.w3.org/2000/svg"/>', '%PDF-1.7'])('refuses %j', (text) => {
    expect(checkLogo(Buffer.from(text))).toEqual(problem('PNG or JPEG'));
  });

  it('refuses more bytes than a page should carry', () => {
    expect(checkLogo(Buffer.alloc(LOGO_BYTES_MAX + 1))).toEqual(problem('512 KiB'));
  });

  it.each(['png', 'jpeg'] as const)('refuses a %s that ends before its end', async (format) => {
    const whole = await image().toFormat(format).toBuffer();
    for (let length = 8; length < whole.length - 1; length += 1)
      expect(checkLogo(whole.subarray(0, length))).toHaveProperty('problem');
  });

  it('refuses a PNG with a wrong bit anywhere', async () => {
    const whole = await image().png().toBuffer();
    for (let at = 0; at < whole.length; at += 1) {
      const wrong = Buffer.from(whole);
      wrong[at]! ^= 4;
      expect(checkLogo(wrong)).toHaveProperty('problem');
    }
  });

  it('never throws, whatever a JPEG says about its parts', async () => {
    const whole = await image().jpeg().toBuffer();
    for (let at = 2; at < whole.length; at += 1) {
      const wrong = Buffer.from(whole);
      wrong[at] = 0xff;
      expect(() => checkLogo(wrong)).not.toThrow();
    }
  });
});
