import { DocumentsModule } from '@counterfoil/documents';
import { FilesModule } from '@counterfoil/files';
import { IdentityModule } from '@counterfoil/identity';
import { Module } from '@nestjs/common';
import { PartiesModule } from '@counterfoil/parties';
import { PostgresRenditions } from './adapters/postgres/postgres-renditions';
import { PostgresStatementFiles } from './adapters/postgres/postgres-statement-files';
import { EditCompanyProfile } from './application/edit-company-profile';
import { GetRendition } from './application/get-rendition';
import { GetStatementFile } from './application/get-statement-file';
import { Renditions } from './application/ports/renditions';
import { StatementFiles } from './application/ports/statement-files';
import { ReadLogo } from './application/read-logo';
import { ReadStatementContent } from './application/read-statement-content';

/** Hands out files of issued documents, and takes what they show of a company; used by the API. */
@Module({
  imports: [DocumentsModule, FilesModule, IdentityModule, PartiesModule],
  providers: [
    EditCompanyProfile,
    GetRendition,
    GetStatementFile,
    ReadLogo,
    ReadStatementContent,
    { provide: StatementFiles, useClass: PostgresStatementFiles },
    { provide: Renditions, useClass: PostgresRenditions },
  ],
  exports: [EditCompanyProfile, GetRendition, GetStatementFile, ReadLogo],
})
export class RenditionsModule {}
