import { openImage } from './image/decode-image';
import type { Raster } from './image/raster';
import { recognisePage } from './ocr/recognise-page';
import type { Page } from './page';

// Loaded on demand together with its models and decoders, because reading text does not need them.

/** Opens an image whose pages `recogniseAll` reads. */
export function openScan(bytes: Uint8Array): ReturnType<typeof openImage> {
  return openImage(bytes);
}

/**
 * Recognises pages one at a time, because each may use all of the allowed memory.
 *
 * @param numbers page numbers, in the order in which the pages are read
 * @param goesOn called after each page but the last with the pages so far; false ends the reading
 */
export async function recogniseAll(
  numbers: readonly number[],
  rasterOf: (number: number) => Promise<Raster>,
  goesOn: (pages: ReadonlyMap<number, Page>) => boolean,
): Promise<ReadonlyMap<number, Page>> {
  const pages = new Map<number, Page>();
  for (const number of numbers) {
    pages.set(number, await recognisePage(await rasterOf(number)));
    if (pages.size < numbers.length && !goesOn(pages)) break;
  }
  return pages;
}
