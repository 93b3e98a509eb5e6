import { openImage } from './image/decode-image';
import type { Raster } from './image/raster';
import { recognisePage } from './ocr/recognise-page';
import type { Page } from './page';

// Loaded on demand together with its models and decoders, because reading text does not need them.

/** Opens an image whose pages `recogniseAll` reads. */
export function openScan(bytes: Uint8Array): ReturnType<typeof openImage> {
  return openImage(bytes);
}

/** The pages that were recognised, by their numbers, and the errors of the others. */
export interface Recognised {
  readonly pages: ReadonlyMap<number, Page>;
  readonly errors: readonly Error[];
}

/**
 * Recognises pages one at a time, because each may use all of the allowed memory. A page that cannot be read is
 * left out.
 *
 * @param numbers page numbers, in the order in which the pages are read
 * @param goesOn called after each page but the last with the result so far; false ends the reading
 */
export async function recogniseAll(
  numbers: readonly number[],
  rasterOf: (number: number) => Promise<Raster>,
  goesOn: (sofar: Recognised) => boolean,
): Promise<Recognised> {
  const pages = new Map<number, Page>();
  const errors: Error[] = [];
  for (const number of numbers) {
    try {
      pages.set(number, await recognisePage(await rasterOf(number)));
    } catch (error) {
      errors.push(error instanceof Error ? error : new Error(String(error)));
    }
    if (pages.size + errors.length < numbers.length && !goesOn({ pages, errors })) break;
  }
  return { pages, errors };
}
