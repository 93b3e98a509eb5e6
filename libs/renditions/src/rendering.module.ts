import { DocumentsModule } from '@counterfoil/documents';
import { FilesModule } from '@counterfoil/files';
import { Module } from '@nestjs/common';
import { IdentityModule } from '@counterfoil/identity';
import { PartiesModule } from '@counterfoil/parties';
import { PostgresRenditions } from './adapters/postgres/postgres-renditions';
import { PostgresStatementFiles } from './adapters/postgres/postgres-statement-files';
import { ThreadedPdfRenderer } from './adapters/typst/threaded-pdf-renderer';
import { XmlEInvoiceWriter } from './adapters/xml/xml-e-invoice-writer';
import { EInvoiceWriter } from './application/ports/e-invoice-writer';
import { PdfRenderer } from './application/ports/pdf-renderer';
import { Renditions } from './application/ports/renditions';
import { StatementFiles } from './application/ports/statement-files';
import { ReadLogo } from './application/read-logo';
import { ReadStatementContent } from './application/read-statement-content';
import { RenderDocument } from './application/render-document';
import { RenderStatement } from './application/render-statement';

/** Makes files of issued documents; used by the worker. */
@Module({
  imports: [DocumentsModule, FilesModule, IdentityModule, PartiesModule],
  providers: [
    ReadLogo,
    ReadStatementContent,
    RenderDocument,
    RenderStatement,
    { provide: StatementFiles, useClass: PostgresStatementFiles },
    { provide: Renditions, useClass: PostgresRenditions },
    { provide: PdfRenderer, useClass: ThreadedPdfRenderer },
    { provide: EInvoiceWriter, useClass: XmlEInvoiceWriter },
  ],
  exports: [RenderDocument, RenderStatement],
})
export class RenderingModule {}
