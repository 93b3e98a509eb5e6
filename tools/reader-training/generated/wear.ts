import { createCanvas, type Canvas } from '@napi-rs/canvas';
import sharp from 'sharp';
import type { Board } from './board';
import type { Draw } from './draw';

/** The state of a paper and of its picture. */
interface Wear {
  /** Dots per inch. */
  readonly resolution: number;
  /** In degrees. */
  readonly skew: number;
  /** Pixels of the standard deviation. */
  readonly blur: number;
  /** 0 to 1: how much of the ink is gone. */
  readonly fade: number;
  readonly shadow: number;
  readonly creases: number;
  readonly quality: number;
}

/** Returns the wear of a photo. A scan is straighter and evenly lit. */
function wearOf(draw: Draw, scanned: boolean): Wear {
  const low = draw.chance(0.15);
  return {
    resolution: low ? draw.whole(90, 115) : draw.whole(130, 190),
    skew: (draw.share() - 0.5) * (scanned ? 2.5 : 6),
    blur: draw.chance(0.5) ? 0.3 + draw.share() * (low ? 0.25 : 0.7) : 0,
    fade: draw.chance(0.4) ? draw.share() * 0.5 : 0,
    shadow: scanned ? 0 : draw.share() * 0.45,
    creases: scanned ? 0 : draw.whole(0, 4),
    quality: draw.whole(45, 85),
  };
}

const POINTS_PER_INCH = 72;
const MARGIN = 0.04;

function drawn(board: Board, wear: Wear): Canvas {
  const scale = wear.resolution / POINTS_PER_INCH;
  const [width, height] = [board.width * scale, board.height * scale];
  const canvas = createCanvas(Math.ceil(width * (1 + 2 * MARGIN)), Math.ceil(height * (1 + 2 * MARGIN)));
  const context = canvas.getContext('2d');
  context.fillStyle = '#b9b4aa';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.translate(canvas.width / 2, canvas.height / 2);
  context.rotate((wear.skew * Math.PI) / 180);
  context.translate(-width / 2, -height / 2);
  context.fillStyle = '#fbfaf6';
  context.fillRect(0, 0, width, height);
  board.render(context, scale);
  return canvas;
}

/** Covers the ink with paper, more in some bands, as heat does to thermal paper. */
function fade(canvas: Canvas, { fade: share }: Wear, draw: Draw): void {
  if (share === 0) return;
  const context = canvas.getContext('2d');
  context.resetTransform();
  for (let band = 0; band < 5; band++) {
    context.fillStyle = `rgba(251,250,246,${(share * (0.6 + 0.4 * draw.share())).toFixed(3)})`;
    context.fillRect(0, (band * canvas.height) / 5, canvas.width, canvas.height / 5 + 1);
  }
}

/** Draws a shadow from one corner, and creases: a dark line beside a light one. */
function shade(canvas: Canvas, { shadow, creases }: Wear, draw: Draw): void {
  const context = canvas.getContext('2d');
  context.resetTransform();
  const { width, height } = canvas;
  const gradient = context.createLinearGradient(
    draw.chance(0.5) ? 0 : width,
    0,
    width / 2,
    height * draw.share(),
  );
  gradient.addColorStop(0, `rgba(20,18,15,${shadow.toFixed(3)})`);
  gradient.addColorStop(1, 'rgba(20,18,15,0)');
  context.fillStyle = gradient;
  context.fillRect(0, 0, width, height);
  for (let index = 0; index < creases; index++) {
    const [from, to] = [draw.share() * height, draw.share() * height];
    for (const [by, colour] of [
      [0, 'rgba(60,55,50,0.28)'],
      [2, 'rgba(255,255,255,0.5)'],
    ] as const) {
      context.strokeStyle = colour;
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(0, from + by);
      context.lineTo(width, to + by);
      context.stroke();
    }
  }
}

export interface Picture {
  readonly jpeg: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Returns a picture of the page as a scanner or a phone might have taken it. */
export async function pictureOf(board: Board, draw: Draw, scanned: boolean): Promise<Picture> {
  const wear = wearOf(draw, scanned);
  const canvas = drawn(board, wear);
  fade(canvas, wear, draw);
  shade(canvas, wear, draw);
  const image = sharp(await canvas.encode('png')).flatten();
  const worn = wear.blur >= 0.3 ? image.blur(wear.blur) : image;
  const jpeg = await worn.greyscale(scanned).jpeg({ quality: wear.quality }).toBuffer();
  return { jpeg, width: canvas.width, height: canvas.height };
}
