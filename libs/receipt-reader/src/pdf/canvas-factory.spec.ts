import { createCanvas } from '@napi-rs/canvas';
import { CanvasFactory } from './canvas-factory';

const FACTORY = new CanvasFactory();

/** Draws strips of 16 rows as pdfjs does: the upper half black, the lower half white. */
function drawn(
  width: number,
  height: number,
): { width: number; height: number; colourAt: (y: number) => number } {
  const { canvas, context } = FACTORY.create(width, height);
  const strip = createCanvas(width, 16).getContext('2d').createImageData(width, 16);
  for (let y = 0; y < height; y += 16) {
    strip.data.fill(y < height / 2 ? 0 : 255);
    for (let alpha = 3; alpha < strip.data.length; alpha += 4) strip.data[alpha] = 255;
    context!.putImageData(strip, 0, y);
  }
  const colourAt = (y: number) => context!.getImageData(canvas!.width / 2, y, 1, 1).data[0]!;
  return { width: canvas!.width, height: canvas!.height, colourAt };
}

describe('a canvas for an image', () => {
  it('has its size if it is as large as a page', () => {
    expect(drawn(640, 480)).toMatchObject({ width: 640, height: 480 });
  });

  it('is scaled down if it is larger', () => {
    const { width, height, colourAt } = drawn(4_960, 7_024);
    expect([width, height]).toEqual([1_240, 1_756]);
    expect([10, 870, 885, 1_745].map(colourAt)).toEqual([0, 0, 255, 255]);
  });

  it('needs a size', () => {
    expect(() => FACTORY.create(0, 5)).toThrow('a canvas needs a width and a height');
  });
});
