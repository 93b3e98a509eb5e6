import { decodeImage } from './image/decode-image';
import type { Raster } from './image/raster';
import { recognisePage } from './ocr/recognise-page';
import type { Page } from './page';

// Loaded on demand together with its models, because reading text does not need it.

/**
 * Recognises the pages of an image file.
 *
 * @throws UnreadableDocument `damaged`, `too-large`
 */
export function recogniseImage(bytes: Uint8Array): Promise<Page[]> {
  return recogniseAll(decodeImage(bytes));
}

/** Recognises pages one at a time, because each may use all of the allowed memory. */
export async function recogniseAll(rasters: AsyncIterable<Raster>): Promise<Page[]> {
  const pages: Page[] = [];
  for await (const raster of rasters) pages.push(await recognisePage(raster));
  return pages;
}
