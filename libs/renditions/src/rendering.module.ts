import { DocumentsModule } from '@counterfoil/documents';
import { Module } from '@nestjs/common';
import { PostgresRenditions } from './adapters/postgres/postgres-renditions';
import { ThreadedPdfRenderer } from './adapters/typst/threaded-pdf-renderer';
import { XmlEInvoiceWriter } from './adapters/xml/xml-e-invoice-writer';
import { EInvoiceWriter } from './application/ports/e-invoice-writer';
import { PdfRenderer } from './application/ports/pdf-renderer';
import { Renditions } from './application/ports/renditions';
import { RenderDocument } from './application/render-document';

/** Makes files of issued documents; used by the worker. */
@Module({
  imports: [DocumentsModule],
  providers: [
    RenderDocument,
    { provide: Renditions, useClass: PostgresRenditions },
    { provide: PdfRenderer, useClass: ThreadedPdfRenderer },
    { provide: EInvoiceWriter, useClass: XmlEInvoiceWriter },
  ],
  exports: [RenderDocument],
})
export class RenderingModule {}
