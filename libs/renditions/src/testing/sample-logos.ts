import sharp from 'sharp';
import type { PrintableLogo } from '../application/ports/printable-document';

const SHAPES = (width: number, height: number, colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    <path d="M0 0h${width}v${height}H0z" fill="none"/>
    <path d="M0 ${height}L${width / 3} 0l${width / 3} ${height}z" fill="${colour}"/>
    <circle cx="${width * 0.8}" cy="${height / 2}" r="${Math.min(width, height) / 6}" fill="#d97706"/>
  </svg>`;

interface Shape {
  readonly width: number;
  readonly height: number;
  readonly colour?: string;
}

/** A triangle and a circle, without a background. */
export async function pngLogo({ width, height, colour = '#0b6e4f' }: Shape): Promise<PrintableLogo> {
  const bytes = await sharp(Buffer.from(SHAPES(width, height, colour)))
    .png()
    .toBuffer();
  return { bytes, mediaType: 'image/png' };
}

export const ORIENTATIONS = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** Quarter turns and mirrors that lead from the upright image to the stored pixels of each orientation. */
const STORED: Readonly<Record<number, readonly ('flip' | 'flop' | 'turn')[]>> = {
  1: [],
  2: ['flop'],
  3: ['flip', 'flop'],
  4: ['flip'],
  5: ['flop', 'turn', 'turn', 'turn'],
  6: ['turn', 'turn', 'turn'],
  7: ['flop', 'turn'],
  8: ['turn'],
};

/**
 * The same upright image for each orientation of EXIF: red, green, blue and black corners from the upper left to the lower
 * right, twice as wide as high.
 */
export async function jpegLogo(orientation: number): Promise<PrintableLogo> {
  const corner = (background: string, left: number, top: number) => ({
    input: { create: { width: 80, height: 40, channels: 3, background } } as const,
    left,
    top,
  });
  let bytes = await sharp({ create: { width: 160, height: 80, channels: 3, background: '#fff' } })
    .composite([corner('#f00', 0, 0), corner('#0f0', 80, 0), corner('#00f', 0, 40), corner('#000', 80, 40)])
    .png()
    .toBuffer();
  for (const step of STORED[orientation] ?? []) {
    const image = sharp(bytes);
    bytes = await (step === 'turn' ? image.rotate(90) : image[step]()).png().toBuffer();
  }
  return {
    bytes: await sharp(bytes).withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer(),
    mediaType: 'image/jpeg',
  };
}
