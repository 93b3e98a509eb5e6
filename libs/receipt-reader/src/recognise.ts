import { decodeImage } from './image/decode-image';
import type { Raster } from './image/raster';
import { recognisePage } from './ocr/recognise-page';
import type { Page } from './page';

// Loaded on demand, with its models: texts are read without it.

/** The pages of an image file. @throws UnreadableDocument `damaged`, `too-large` */
export function recogniseImage(bytes: Uint8Array): Promise<Page[]> {
  return recogniseAll(decodeImage(bytes));
}

/** One page after the other: each takes as much memory as may be taken. */
export async function recogniseAll(rasters: AsyncIterable<Raster>): Promise<Page[]> {
  const pages: Page[] = [];
  for await (const raster of rasters) pages.push(await recognisePage(raster));
  return pages;
}
