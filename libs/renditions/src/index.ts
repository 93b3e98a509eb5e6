export { RENDITIONS_COMPANY_DATA } from './adapters/postgres/company-data.sql';
export { RENDITIONS_MIGRATIONS } from './adapters/postgres/migrations';
export { type DocumentFile, GetRendition } from './application/get-rendition';
export { chosenRendition } from './application/document-to-print';
export { RENDITION_JOBS } from './application/jobs';
export { RenderDocument } from './application/render-document';
export { type DocumentPageLabels, ENGLISH, HEBREW } from './application/ports/document-page-labels';
export { type PrintableItem, type PrintablePayment } from './application/ports/printable-document';
export { shownMoney, shownPercent, shownPrice, shownQuantity } from './domain/figures';
export {
  fileNameOf,
  type EInvoiceSyntax,
  languageOf,
  mediaTypeOf,
  type PageChoice,
  RENDITION_STAMPS,
  type RenditionChoice,
  type RenditionFormat,
  type RenditionStamp,
} from './domain/rendition';
export { RenderingModule } from './rendering.module';
export { RenditionsModule } from './renditions.module';
