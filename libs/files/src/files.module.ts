import { IdempotencyModule } from '@counterfoil/idempotency';
import { Config } from '@counterfoil/config';
import { IdentityModule } from '@counterfoil/identity';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { configuredFileStore } from './adapters/configured-file-store';
import { FileSchema, FileUploadSchema } from './adapters/postgres/file.schema';
import { PostgresFileDirectory } from './adapters/postgres/postgres-file-directory';
import { PostgresFileReader } from './adapters/postgres/postgres-file.reader';
import { PostgresFileRepository } from './adapters/postgres/postgres-file.repository';
import { ClearBytes } from './application/clear-bytes';
import { DeleteFile } from './application/delete-file';
import { FileLinks } from './application/file-links';
import { FileDirectory } from './application/ports/file-directory';
import { FileReader } from './application/ports/file.reader';
import { FileRepository } from './application/ports/file.repository';
import { FileStore } from './application/ports/file-store';
import { ReadFile } from './application/read-file';
import { StorageQuota } from './application/storage-quota';
import { RemoveAbandonedUploads } from './application/remove-abandoned-uploads';
import { UploadFile } from './application/upload-file';

const USE_CASES = [DeleteFile, FileLinks, ReadFile, StorageQuota, RemoveAbandonedUploads, UploadFile];

@Module({
  imports: [IdentityModule, IdempotencyModule, TypeOrmModule.forFeature([FileSchema, FileUploadSchema])],
  providers: [
    ...USE_CASES,
    ClearBytes,
    { provide: FileDirectory, useClass: PostgresFileDirectory },
    { provide: FileReader, useClass: PostgresFileReader },
    { provide: FileRepository, useClass: PostgresFileRepository },
    { provide: FileStore, inject: [Config], useFactory: configuredFileStore },
  ],
  exports: [...USE_CASES, FileDirectory, FileReader],
})
export class FilesModule {}
