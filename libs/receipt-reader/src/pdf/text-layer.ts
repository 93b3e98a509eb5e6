import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Page } from '../page';
import { cellsOf } from './cells';
import { filledIn } from './form-fields';
import { type Matrix, piecesOf, type TextItem } from './text-pieces';

/** Limits the work. No legitimate page has as many items; the rest of such a page is ignored. */
const ITEMS_MAX = 20_000;

/**
 * Returns the text of these pages, including pages without text. A page that cannot be read counts as empty.
 *
 * @param goesOn called after each page; false ends the reading
 */
export async function textLayer(
  pdf: PDFDocumentProxy,
  numbers: readonly number[],
  goesOn: () => boolean,
): Promise<ReadonlyMap<number, Page>> {
  const pages = new Map<number, Page>();
  for (const number of numbers) {
    pages.set(number, await textOfPage(pdf, number));
    if (!goesOn()) break;
  }
  return pages;
}

async function textOfPage(pdf: PDFDocumentProxy, number: number): Promise<Page> {
  try {
    const page = await pdf.getPage(number);
    const { width, height, transform } = page.getViewport({ scale: 1 });
    const items = [...(await itemsOf(page)), ...(await filledIn(page))];
    page.cleanup();
    return cellsOf(piecesOf(items, { width, height, transform: matrixOf(transform) }));
  } catch {
    return { width: 1, height: 1, spans: [] };
  }
}

function matrixOf([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: readonly number[]): Matrix {
  return [a, b, c, d, e, f];
}

/** A chunk of the text content of a page: text runs and structure marks. */
interface TextChunk {
  readonly items: readonly (TextItem | { readonly type: string })[];
}

async function itemsOf(page: PDFPageProxy): Promise<TextItem[]> {
  const items: TextItem[] = [];
  const reader = page.streamTextContent().getReader();
  while (items.length < ITEMS_MAX) {
    const { done, value } = (await reader.read()) as { done: boolean; value?: TextChunk };
    if (done || !value) return items;
    for (const item of value.items) if ('str' in item) items.push(item);
  }
  await reader.cancel(new Error('too much text'));
  return items;
}
