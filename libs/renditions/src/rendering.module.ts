import { DocumentsModule } from '@counterfoil/documents';
import { FilesModule } from '@counterfoil/files';
import { Module } from '@nestjs/common';
import { IdentityModule } from '@counterfoil/identity';
import { PartiesModule } from '@counterfoil/parties';
import { PostgresRenditions } from './adapters/postgres/postgres-renditions';
import { PostgresTemporaryFiles } from './adapters/postgres/postgres-temporary-files';
import { ThreadedPdfRenderer } from './adapters/typst/threaded-pdf-renderer';
import { XmlEInvoiceWriter } from './adapters/xml/xml-e-invoice-writer';
import { EInvoiceWriter } from './application/ports/e-invoice-writer';
import { PdfRenderer } from './application/ports/pdf-renderer';
import { Renditions } from './application/ports/renditions';
import { TemporaryFiles } from './application/ports/temporary-files';
import { ReadLogo } from './application/read-logo';
import { ReadPreviewContent } from './application/read-preview-content';
import { ReadStatementContent } from './application/read-statement-content';
import { RenderDocument } from './application/render-document';
import { RenderPreview } from './application/render-preview';
import { RenderStatement } from './application/render-statement';
import { RenderTemporaryFile } from './application/render-temporary-file';

/** Makes files of documents and of statements of account; used by the worker. */
@Module({
  imports: [DocumentsModule, FilesModule, IdentityModule, PartiesModule],
  providers: [
    ReadLogo,
    ReadPreviewContent,
    ReadStatementContent,
    RenderDocument,
    RenderPreview,
    RenderStatement,
    RenderTemporaryFile,
    { provide: TemporaryFiles, useClass: PostgresTemporaryFiles },
    { provide: Renditions, useClass: PostgresRenditions },
    { provide: PdfRenderer, useClass: ThreadedPdfRenderer },
    { provide: EInvoiceWriter, useClass: XmlEInvoiceWriter },
  ],
  exports: [RenderDocument, RenderPreview, RenderStatement, RenderTemporaryFile],
})
export class RenderingModule {}
