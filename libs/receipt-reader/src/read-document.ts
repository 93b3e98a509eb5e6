import { findFields } from './fields/find-fields';
import { type DocumentKind, kindOfBytes } from './file-kind';
import type { Raster } from './image/raster';
import type { Page } from './page';
import { pageOrder } from './page-order';
import { PdfDocument } from './pdf/pdf-document';
import { hasMoreText, isNearlyBlank } from './pdf/text-quality';
import {
  FIELD_NAMES,
  type FieldName,
  PAGES_MAX,
  type Reading,
  type ReadingSource,
  type ReceiptFields,
} from './reading';
import { type ReadingLimits, ReadingTime } from './reading-time';
import type { Recognised } from './recognise';
import { decodeHtml } from './text/decode-html';
import { decodeText } from './text/decode-text';
import { htmlPage } from './text/html-page';
import { plainTextPage } from './text/plain-text-page';
import { UnreadableDocument } from './unreadable-document';
import { readInvoice } from './xml/read-invoice';
import { parseXml } from './xml/xml-element';

export interface ReadOptions {
  /** The kind by the file extension. Without it, only the bytes decide. */
  readonly declaredKind?: DocumentKind;
  /** YYYY-MM-DD. Later dates are ignored, except that of an e-invoice. */
  readonly today: string;
  /** Whether OCR may be used (the default). It takes models, memory and time. */
  readonly recognise?: boolean;
  /** Limits after which no further page is read; none by default. */
  readonly limits?: ReadingLimits;
  /** Called after each recognised page but the last, with the document as far as it was read. */
  readonly onPart?: (part: ReadDocument) => void;
}

/** A reading, with the pages in which the fields were found; no pages if the document states the fields as data. */
export interface ReadDocument {
  readonly reading: Reading;
  readonly pages: readonly Page[];
  /** An unexpected error because of which pages were left out. */
  readonly fault?: Error;
}

/** Thrown if pages are images and `recognise` is false. */
export class DocumentNeedsRecognition extends Error {
  constructor() {
    super('the document has pages that need OCR');
  }
}

/** The content of a document: the fields that it states as data, or pages to search. */
type Content =
  { readonly kind: 'stated'; readonly fields: ReceiptFields; readonly pages: number } | FoundPages;

interface FoundPages {
  readonly kind: 'pages';
  /** The pages that were read, in the order of the document. */
  readonly pages: readonly Page[];
  readonly pageCount: number;
  readonly source: ReadingSource;
  /** Errors of the pages that could not be read. */
  readonly errors: readonly Error[];
}

/**
 * Reads a receipt or an invoice. The fields of an e-invoice take precedence, then the fields found in its
 * text, then those found by OCR.
 *
 * @throws UnreadableDocument
 * @throws DocumentNeedsRecognition
 */
export async function readDocument(bytes: Uint8Array, options: ReadOptions): Promise<ReadDocument> {
  const content = await contentOf(bytes, options);
  if (content.kind === 'stated') return { reading: statedReading(content.fields, content.pages), pages: [] };
  return withReading(content, options.today);
}

async function contentOf(bytes: Uint8Array, options: ReadOptions): Promise<Content> {
  switch (kindOf(bytes, options.declaredKind)) {
    case 'xml':
      return { kind: 'stated', fields: readInvoice(parseXml(bytes)) ?? {}, pages: 1 };
    case 'html':
      return onePage(htmlPage(decodeHtml(bytes)));
    case 'txt':
      return onePage(plainTextPage(decodeText(bytes)));
    case 'pdf':
      return contentOfPdf(bytes, options);
    case 'png':
    case 'jpeg':
    case 'webp':
    case 'tiff':
    case 'heic':
      return recognisedImage(bytes, options);
  }
}

const onePage = (page: Page): Content => ({
  kind: 'pages',
  pages: [page],
  pageCount: 1,
  source: 'text',
  errors: [],
});

function kindOf(bytes: Uint8Array, declaredKind: DocumentKind | undefined): DocumentKind {
  if (bytes.length === 0) throw new UnreadableDocument('damaged', 'the document is empty');
  const kind = kindOfBytes(bytes, declaredKind);
  if (kind) return kind;
  throw new UnreadableDocument('unsupported', 'the document type is not supported');
}

async function contentOfPdf(bytes: Uint8Array, options: ReadOptions): Promise<Content> {
  const pdf = await PdfDocument.open(bytes);
  try {
    const { pageCount } = pdf;
    const fields = await pdf.attachedInvoice();
    if (fields) return { kind: 'stated', fields, pages: Math.min(pageCount, PAGES_MAX) };
    const time = new ReadingTime(options.limits);
    const order = pageOrder(pageCount);
    const text = await pdf.textLayer(order, () => time.hasRoom());
    const blank = order.filter((number) => !text.isReadable || isBlankBeside(text.pages, number));
    const content: FoundPages = {
      ...{ kind: 'pages', pageCount, source: 'pdf-text', errors: [] },
      pages: sorted(text.pages),
    };
    // Pages without text may be scans with the actual invoice, for example behind a covering letter.
    if (blank.length === 0 || (text.isReadable && hasTotal(content, options.today))) return content;
    const withText = text.isReadable ? [...text.pages].filter(([, { spans }]) => spans.length > 0) : [];
    return await recognised(blank, (number) => pdf.raster(number), {
      ...{ options, time, pageCount },
      read: new Map(withText),
    });
  } finally {
    await pdf.close();
  }
}

/** True if the page has no text, or hardly any beside a page with more, such as a covering letter. */
function isBlankBeside(pages: ReadonlyMap<number, Page>, number: number): boolean {
  const page = pages.get(number);
  if (page === undefined || !isNearlyBlank(page)) return false;
  return page.spans.length === 0 || [...pages.values()].some((other) => !isNearlyBlank(other));
}

async function recognisedImage(bytes: Uint8Array, options: ReadOptions): Promise<Content> {
  if (options.recognise === false) throw new DocumentNeedsRecognition();
  const time = new ReadingTime(options.limits);
  const { openScan } = await import('./recognise.js');
  const image = await openScan(bytes);
  const { pageCount } = image;
  return recognised(pageOrder(pageCount), (number) => image.decode(number), {
    options,
    time,
    pageCount,
    read: new Map(),
  });
}

interface Begun {
  readonly options: ReadOptions;
  readonly time: ReadingTime;
  readonly pageCount: number;
  /** Pages whose text was read. A recognised page replaces it only if it has more. */
  readonly read: ReadonlyMap<number, Page>;
}

/**
 * Recognises pages in this order, as long as there is time. Damaged pages are left out if any page can be read.
 *
 * @throws the error of the first page if no page can be read
 */
async function recognised(
  numbers: readonly number[],
  rasterOf: (number: number) => Promise<Raster>,
  { options, time, pageCount, read }: Begun,
): Promise<FoundPages> {
  const { recognise = true, onPart, today } = options;
  if (!recognise) throw new DocumentNeedsRecognition();
  const { recogniseAll } = await import('./recognise.js');
  const found = ({ pages, errors }: Recognised): FoundPages => {
    const better = [...pages].filter(([number, page]) => {
      const before = read.get(number);
      return before === undefined || hasMoreText(page, before);
    });
    return {
      ...{ kind: 'pages', pageCount, source: better.length > 0 ? 'ocr' : 'pdf-text', errors },
      pages: sorted(new Map([...read, ...better])),
    };
  };
  const all = found(
    await recogniseAll(numbers, rasterOf, (sofar) => {
      const part = found(sofar);
      const isAny = part.pages.length > 0;
      if (isAny) onPart?.(withReading(part, today));
      return time.hasRoom() || !isAny;
    }),
  );
  const [first] = all.errors;
  if (first && all.pages.length === 0) throw first;
  return all;
}

/** In the order of the document. */
function sorted(pages: ReadonlyMap<number, Page>): Page[] {
  return [...pages].sort(([one], [other]) => one - other).map(([number, page]) => ({ ...page, number }));
}

function hasTotal(content: FoundPages, today: string): boolean {
  return readingOf(content, today).fields.total !== undefined;
}

function withReading(content: FoundPages, today: string): ReadDocument {
  const fault = content.errors.find((error) => !(error instanceof UnreadableDocument));
  return {
    ...{ reading: readingOf(content, today), pages: content.pages },
    ...(fault !== undefined && { fault }),
  };
}

function readingOf({ pages, pageCount, source, errors }: FoundPages, today: string): Reading {
  const { fields, confidence, places } = findFields(pages, { source, today });
  return {
    ...{ fields: tidy(fields), confidence: tidy(confidence), source, pages: pages.length },
    ...(Object.keys(places).length > 0 && { places: tidy(places) }),
    ...(pages.length < pageCount && { pageCount }),
    ...(errors.length > 0 && { unreadablePages: errors.length }),
  };
}

function statedReading(stated: ReceiptFields, pages: number): Reading {
  const fields = tidy(stated);
  const confidence = Object.fromEntries(Object.keys(fields).map((name) => [name, 1]));
  return { fields, confidence, source: 'xml', pages };
}

/**
 * Returns the fields in the order of the contract. Lone surrogates and zero characters are removed, because
 * PostgreSQL and JSON do not accept them.
 */
function tidy<T extends Partial<Record<FieldName, unknown>>>(values: T): T {
  const known = FIELD_NAMES.filter((name) => values[name] !== undefined);
  return Object.fromEntries(
    known.map((name) => {
      const value = values[name];
      return [name, typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value];
    }),
  ) as T;
}
