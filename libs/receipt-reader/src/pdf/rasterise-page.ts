import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Raster } from '../image/raster';
import { UnreadableDocument } from '../unreadable-document';
import { loadPdfjs } from './load-pdfjs';

/** Length of the longer side of a rendered page, in pixels. */
const SIDE_PIXELS = 2_200;
/** Pixels per point: 288 dpi, enough for the small print of a receipt. */
const SCALE_MAX = 4;
/** An image that covers at least this share of both sides is a scan of the page. */
const WHOLE_PAGE = 0.8;

/** The used part of the canvases that pdfjs creates. */
interface CanvasAndContext {
  readonly canvas: unknown;
  readonly context: {
    getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray };
  };
}

interface CanvasFactory {
  create(width: number, height: number): CanvasAndContext;
  destroy(canvas: CanvasAndContext): void;
}

/**
 * Renders a page on a white background. A scanned page is rendered at no more than the resolution of the
 * scan.
 *
 * @throws UnreadableDocument `damaged`
 */
export async function rasterisePage(pdf: PDFDocumentProxy, number: number): Promise<Raster> {
  try {
    const page = await pdf.getPage(number);
    const raster = await render(pdf, page, await scaleOf(page));
    page.cleanup();
    return raster;
  } catch {
    throw new UnreadableDocument('damaged', `page ${number} of the PDF cannot be rendered`);
  }
}

async function render(pdf: PDFDocumentProxy, page: PDFPageProxy, scale: number): Promise<Raster> {
  const viewport = page.getViewport({ scale });
  const width = Math.max(1, Math.min(SIDE_PIXELS, Math.round(viewport.width)));
  const height = Math.max(1, Math.min(SIDE_PIXELS, Math.round(viewport.height)));
  const factory = pdf.canvasFactory as CanvasFactory;
  const drawn = factory.create(width, height);
  try {
    await page.render({ canvas: drawn.canvas as never, viewport }).promise;
    return { width, height, data: withoutAlpha(drawn.context.getImageData(0, 0, width, height).data) };
  } finally {
    factory.destroy(drawn);
  }
}

function withoutAlpha(rgba: Uint8ClampedArray): Uint8Array {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4) {
    rgb[to++] = rgba[from] ?? 0;
    rgb[to++] = rgba[from + 1] ?? 0;
    rgb[to++] = rgba[from + 2] ?? 0;
  }
  return rgb;
}

async function scaleOf(page: PDFPageProxy): Promise<number> {
  const { width, height } = page.getViewport({ scale: 1 });
  const fitting = Math.min(SIDE_PIXELS / Math.max(width, height), SCALE_MAX);
  const scan = await pixelsOfScan(page);
  return scan === undefined ? fitting : Math.min(fitting, scan / Math.max(width, height));
}

/** Returns the longer side, in pixels, of the image that covers the page, or undefined if there is none. */
async function pixelsOfScan(page: PDFPageProxy): Promise<number | undefined> {
  const { OPS } = await loadPdfjs();
  const { fnArray, argsArray } = await page.getOperatorList();
  const painted = fnArray.flatMap((operation, index) => {
    if (operation !== OPS.paintImageXObject) return [];
    const [, width, height] = argsArray[index] as [string, number, number];
    return [{ width, height }];
  });
  const [image] = painted;
  if (!image || painted.length > 1 || fnArray.length > 60) return undefined;
  const frame = page.getViewport({ scale: 1 });
  const [upright, turned] = [frame.width / frame.height, frame.height / frame.width];
  const shape = image.width / image.height;
  const isWhole = [upright, turned].some(
    (page) => Math.min(shape, page) / Math.max(shape, page) >= WHOLE_PAGE,
  );
  return isWhole ? Math.max(image.width, image.height) : undefined;
}
