import { DocumentsModule } from '@counterfoil/documents';
import { Module } from '@nestjs/common';
import { PostgresRenditions } from './adapters/postgres/postgres-renditions';
import { GetRendition } from './application/get-rendition';
import { Renditions } from './application/ports/renditions';

/** Hands out files of issued documents; used by the API. */
@Module({
  imports: [DocumentsModule],
  providers: [GetRendition, { provide: Renditions, useClass: PostgresRenditions }],
  exports: [GetRendition],
})
export class RenditionsModule {}
