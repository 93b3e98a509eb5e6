import { DocumentsModule } from '@counterfoil/documents';
import { FilesModule } from '@counterfoil/files';
import { IdentityModule } from '@counterfoil/identity';
import { Module } from '@nestjs/common';
import { PartiesModule } from '@counterfoil/parties';
import { PostgresRenditions } from './adapters/postgres/postgres-renditions';
import { PostgresTemporaryFiles } from './adapters/postgres/postgres-temporary-files';
import { EditCompanyProfile } from './application/edit-company-profile';
import { FetchTemporaryFile } from './application/fetch-temporary-file';
import { GetPreviewFile } from './application/get-preview-file';
import { GetRendition } from './application/get-rendition';
import { GetStatementFile } from './application/get-statement-file';
import { Renditions } from './application/ports/renditions';
import { TemporaryFiles } from './application/ports/temporary-files';
import { ReadLogo } from './application/read-logo';
import { ReadPreviewContent } from './application/read-preview-content';
import { ReadStatementContent } from './application/read-statement-content';

/** Hands out files of documents and of statements of account, and takes what they show of a company; used by the API. */
@Module({
  imports: [DocumentsModule, FilesModule, IdentityModule, PartiesModule],
  providers: [
    EditCompanyProfile,
    FetchTemporaryFile,
    GetPreviewFile,
    GetRendition,
    GetStatementFile,
    ReadLogo,
    ReadPreviewContent,
    ReadStatementContent,
    { provide: TemporaryFiles, useClass: PostgresTemporaryFiles },
    { provide: Renditions, useClass: PostgresRenditions },
  ],
  exports: [EditCompanyProfile, GetPreviewFile, GetRendition, GetStatementFile, ReadLogo],
})
export class RenditionsModule {}
