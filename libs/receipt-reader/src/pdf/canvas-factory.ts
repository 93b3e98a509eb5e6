import { type Canvas, createCanvas, type ImageData, type SKRSContext2D } from '@napi-rs/canvas';

/** A larger canvas is scaled down. Four bytes a pixel: 32 MiB. A rendered page has at most 5 million. */
const PIXELS_MAX = 8 * 1024 * 1024;
/** pdfjs draws large images in strips of this height. */
const STRIP_ROWS = 16;

interface CanvasAndContext {
  canvas: Canvas | null;
  context: SKRSContext2D | null;
}

/**
 * Creates the canvases of pdfjs. pdfjs draws each image on a canvas with all of its pixels before it scales
 * the image to the page. Canvases above the limit get a half, a quarter … of the width and height, and the
 * strips of the image are scaled down while they are drawn.
 */
export class CanvasFactory {
  create(width: number, height: number): CanvasAndContext {
    if (!(width > 0 && height > 0)) throw new Error('a canvas needs a width and a height');
    const divisor = divisorOf(width, height);
    const canvas = createCanvas(Math.ceil(width / divisor), Math.ceil(height / divisor));
    const context = canvas.getContext('2d');
    if (divisor > 1) scaleStrips(context, divisor);
    return { canvas, context };
  }

  getNoAlphaContext(canvas: Canvas): SKRSContext2D {
    return canvas.getContext('2d', { alpha: false });
  }

  reset({ canvas }: CanvasAndContext, width: number, height: number): void {
    if (!canvas || !(width > 0 && height > 0)) throw new Error('a canvas needs a width and a height');
    canvas.width = width;
    canvas.height = height;
  }

  destroy(created: CanvasAndContext): void {
    if (created.canvas) created.canvas.width = created.canvas.height = 0;
    created.canvas = null;
    created.context = null;
  }
}

/** A power of two, so that the strips fit. */
function divisorOf(width: number, height: number): number {
  let divisor = 1;
  while (width * height > PIXELS_MAX * divisor * divisor && divisor < STRIP_ROWS) divisor *= 2;
  return divisor;
}

function scaleStrips(context: SKRSContext2D, divisor: number): void {
  let strip: Canvas | undefined;
  context.imageSmoothingQuality = 'high';
  context.putImageData = (image: ImageData, x: number, y: number) => {
    strip ??= createCanvas(image.width, image.height);
    const drawn = strip.getContext('2d');
    drawn.putImageData(image, 0, 0);
    const { width, height } = strip;
    context.drawImage(
      strip,
      ...([0, 0, width, height] as const),
      ...([x / divisor, y / divisor, width / divisor, height / divisor] as const),
    );
  };
}
