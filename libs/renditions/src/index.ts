export { RENDITIONS_COMPANY_DATA } from './adapters/postgres/company-data.sql';
export { RENDITIONS_MIGRATIONS } from './adapters/postgres/migrations';
export { EditCompanyProfile } from './application/edit-company-profile';
export { type Asker, type DocumentFile, GetRendition } from './application/get-rendition';
export { GetPreviewFile } from './application/get-preview-file';
export { GetStatementFile } from './application/get-statement-file';
export type { StatementFileChoice } from './application/read-statement-content';
export { RenderPreview } from './application/render-preview';
export { RenderStatement } from './application/render-statement';
export { RenderTemporaryFile } from './application/render-temporary-file';
export { RENDITION_JOBS } from './application/jobs';
export { ReadLogo } from './application/read-logo';
export { RenderDocument } from './application/render-document';
export { type DocumentPage, documentPage, type PageTop } from './application/document-page';
export { figures, isolated, shownDay } from './application/page-texts';
export type { PrintableLogo } from './application/ports/printable-document';
export { labelsOf, titleOf } from './application/ports/page-parts';
export { shownMoney } from './domain/figures';
export { documentToPrint, pageLanguageOf, previewToPrint } from './application/document-to-print';
export {
  type AskedStamp,
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
export { StampHandOver } from './application/stamp-hand-over';
export { HandOverModule } from './hand-over.module';
export { RenditionsModule } from './renditions.module';
