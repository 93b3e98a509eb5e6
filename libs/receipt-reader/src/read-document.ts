import { findFields } from './fields/find-fields';
import { type DocumentKind, kindOfBytes } from './file-kind';
import type { Page } from './page';
import { PdfDocument } from './pdf/pdf-document';
import { FIELD_NAMES, type FieldName, type Reading, type ReadingSource, type ReceiptFields } from './reading';
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
  /** YYYY-MM-DD. Later dates are ignored. */
  readonly today: string;
  /** Whether OCR may be used (the default). It takes models, memory and time. */
  readonly recognise?: boolean;
}

/** Thrown if pages are images and `recognise` is false. */
export class DocumentNeedsRecognition extends Error {
  constructor() {
    super('the document has pages that need OCR');
  }
}

/** The content of a document: the fields that it states as data, or pages to search. */
type Content =
  | { readonly kind: 'stated'; readonly fields: ReceiptFields; readonly pages: number }
  | { readonly kind: 'pages'; readonly pages: readonly Page[]; readonly source: ReadingSource };

/**
 * Reads a receipt or an invoice. The fields of an e-invoice take precedence, then the fields found in its
 * text, then those found by OCR.
 *
 * @returns the reading, with the pages in which the fields were found; no pages if the document states the
 * fields as data
 * @throws UnreadableDocument
 * @throws DocumentNeedsRecognition
 */
export async function readDocument(
  bytes: Uint8Array,
  options: ReadOptions,
): Promise<{ readonly reading: Reading; readonly pages: readonly Page[] }> {
  const content = await contentOf(bytes, options);
  if (content.kind === 'stated') return { reading: statedReading(content.fields, content.pages), pages: [] };
  return { reading: readingOf(content, options.today), pages: content.pages };
}

async function contentOf(bytes: Uint8Array, options: ReadOptions): Promise<Content> {
  switch (kindOf(bytes, options.declaredKind)) {
    case 'xml':
      return { kind: 'stated', fields: readInvoice(parseXml(bytes), options.today) ?? {}, pages: 1 };
    case 'html':
      return { kind: 'pages', pages: [htmlPage(decodeHtml(bytes))], source: 'text' };
    case 'txt':
      return { kind: 'pages', pages: [plainTextPage(decodeText(bytes))], source: 'text' };
    case 'pdf':
      return contentOfPdf(bytes, options);
    case 'png':
    case 'jpeg':
    case 'webp':
    case 'tiff':
    case 'heic':
      return { kind: 'pages', pages: await recognisedImage(bytes, options), source: 'ocr' };
  }
}

function kindOf(bytes: Uint8Array, declaredKind: DocumentKind | undefined): DocumentKind {
  if (bytes.length === 0) throw new UnreadableDocument('damaged', 'the document is empty');
  const kind = kindOfBytes(bytes, declaredKind);
  if (kind) return kind;
  throw new UnreadableDocument('unsupported', 'the document type is not supported');
}

async function contentOfPdf(bytes: Uint8Array, options: ReadOptions): Promise<Content> {
  const pdf = await PdfDocument.open(bytes);
  try {
    const fields = await pdf.attachedInvoice(options.today);
    if (fields) return { kind: 'stated', fields, pages: pdf.pageCount };
    const text = await pdf.textLayer();
    const content: Content = { kind: 'pages', pages: text.pages, source: 'pdf-text' };
    const blank = text.isReadable ? text.blankPages : text.pages.map((_, index) => index + 1);
    // Pages without text may be scans with the actual invoice, for example behind a covering letter.
    if (blank.length === 0 || (text.isReadable && hasTotal(content, options.today))) return content;
    const recognised = await recognisedPages(pdf, blank, options);
    const pages = text.pages.map((page, index) => recognised.get(index + 1) ?? page);
    return { kind: 'pages', pages, source: 'ocr' };
  } finally {
    await pdf.close();
  }
}

async function recognisedImage(bytes: Uint8Array, { recognise = true }: ReadOptions): Promise<Page[]> {
  if (!recognise) throw new DocumentNeedsRecognition();
  const { recogniseImage } = await import('./recognise.js');
  return await recogniseImage(bytes);
}

async function recognisedPages(
  pdf: PdfDocument,
  numbers: readonly number[],
  { recognise = true }: ReadOptions,
): Promise<ReadonlyMap<number, Page>> {
  if (!recognise) throw new DocumentNeedsRecognition();
  const { recogniseAll } = await import('./recognise.js');
  const pages = await recogniseAll(pdf.rasters(numbers));
  return new Map(numbers.map((number, index) => [number, pages[index]!]));
}

function hasTotal(content: Extract<Content, { kind: 'pages' }>, today: string): boolean {
  return readingOf(content, today).fields.total !== undefined;
}

function readingOf({ pages, source }: Extract<Content, { kind: 'pages' }>, today: string): Reading {
  const { fields, confidence } = findFields(pages, { source, today });
  return { fields: tidy(fields), confidence: tidy(confidence), source, pages: pages.length };
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
function tidy<T extends Partial<Record<FieldName, string | number>>>(values: T): T {
  const known = FIELD_NAMES.filter((name) => values[name] !== undefined);
  return Object.fromEntries(
    known.map((name) => {
      const value = values[name];
      return [name, typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value];
    }),
  ) as T;
}
