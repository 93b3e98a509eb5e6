import type { Raster } from '../image/raster';
import type { RotatedBox } from './rotated-box';

/** Cuts the part of a raster inside the box, and returns it upright and scaled to the given height. */
export function cropUpright(raster: Raster, box: RotatedBox, height: number): Raster {
  const scale = box.height / height;
  const width = Math.max(1, Math.round(box.width / scale));
  const data = new Uint8Array(width * height * 3);
  const step = { x: Math.cos(box.angle) * scale, y: Math.sin(box.angle) * scale };
  // Larger text is averaged over several samples. Otherwise thin strokes would be lost between them.
  const samples = Math.min(4, Math.max(1, Math.round(scale)));
  const sum = new Float64Array(3);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      sum.fill(0);
      for (let sample = 0; sample < samples * samples; sample++) {
        const u = column + ((sample % samples) + 0.5) / samples - width / 2;
        const v = row + (Math.floor(sample / samples) + 0.5) / samples - height / 2;
        const x = box.centreX + u * step.x - v * step.y;
        const y = box.centreY + u * step.y + v * step.x;
        addPixelBetween(raster, x - 0.5, y - 0.5, sum);
      }
      const to = (row * width + column) * 3;
      for (let channel = 0; channel < 3; channel++)
        data[to + channel] = sum[channel]! / (samples * samples) + 0.5;
    }
  }
  return { width, height, data };
}

/** Adds the bilinearly interpolated pixel. Coordinates outside the raster use the pixel at its edge. */
function addPixelBetween({ width, height, data }: Raster, x: number, y: number, sum: Float64Array): void {
  const left = Math.min(Math.max(x, 0), width - 1);
  const top = Math.min(Math.max(y, 0), height - 1);
  const x0 = Math.floor(left);
  const y0 = Math.floor(top);
  const x1 = Math.min(x0 + 1, width - 1);
  const y1 = Math.min(y0 + 1, height - 1);
  const right = left - x0;
  const below = top - y0;
  const [a, b] = [(y0 * width + x0) * 3, (y0 * width + x1) * 3];
  const [c, d] = [(y1 * width + x0) * 3, (y1 * width + x1) * 3];
  for (let channel = 0; channel < 3; channel++) {
    const upper = data[a + channel]! * (1 - right) + data[b + channel]! * right;
    const lower = data[c + channel]! * (1 - right) + data[d + channel]! * right;
    sum[channel] = sum[channel]! + upper * (1 - below) + lower * below;
  }
}
