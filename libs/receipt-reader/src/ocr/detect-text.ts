import sharp from 'sharp';
import type { Raster } from '../image/raster';
import { MODELS, OnnxModel } from './onnx-model';
import { findTextBoxes, type RegionLimits } from './text-regions';
import type { RotatedBox } from './rotated-box';

/** Longer side of the detector input, in pixels. */
const SIDE = 1280;
/** Maximum area of the detector input, in pixels. It determines time and memory. */
const AREA_MAX = 1_000_000;
/** The network halves its input five times, so its sides must be multiples of 32. */
const GRID = 32;
const LIMITS: RegionLimits = { pixelMin: 0.3, meanMin: 0.55, growth: 1.85 };
/** Blue, green, red: the channel order of the training. */
const MEAN = [0.406, 0.456, 0.485] as const;
const DEVIATION = [0.225, 0.224, 0.229] as const;

const model = new OnnxModel(MODELS.detection);

/** Returns the boxes of the text on a raster, in no particular order. */
export async function detectText(raster: Raster): Promise<RotatedBox[]> {
  const { width, height } = detectionSize(raster);
  const input = await toInput(raster, width, height);
  const { data } = await model.run(input, [1, 3, height, width]);
  const boxes = findTextBoxes({ data, width, height }, LIMITS);
  const scale = { x: raster.width / width, y: raster.height / height };
  return boxes.map((box) => scaled(box, scale));
}

function detectionSize({ width, height }: Raster): { width: number; height: number } {
  const scale = Math.min(SIDE / Math.max(width, height), Math.sqrt(AREA_MAX / (width * height)));
  const onGrid = (side: number) => Math.max(GRID, Math.round((side * scale) / GRID) * GRID);
  return { width: onGrid(width), height: onGrid(height) };
}

async function toInput(raster: Raster, width: number, height: number): Promise<Float32Array> {
  const pixels = await sharp(raster.data, {
    raw: { width: raster.width, height: raster.height, channels: 3 },
  })
    .resize(width, height, { fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer();
  const area = width * height;
  const input = new Float32Array(3 * area);
  for (let channel = 0; channel < 3; channel++) {
    const [mean, deviation] = [MEAN[channel]!, DEVIATION[channel]!];
    for (let pixel = 0; pixel < area; pixel++) {
      input[channel * area + pixel] = (pixels[pixel * 3 + 2 - channel]! / 255 - mean) / deviation;
    }
  }
  return input;
}

/**
 * Keeps the angle, because both sides are scaled by almost the same factor. They differ only by the rounding
 * to the grid.
 */
function scaled(box: RotatedBox, scale: { x: number; y: number }): RotatedBox {
  return {
    centreX: box.centreX * scale.x,
    centreY: box.centreY * scale.y,
    width: box.width * scale.x,
    height: box.height * scale.y,
    angle: box.angle,
  };
}
