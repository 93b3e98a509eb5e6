import { generatedId, wholeNumber } from '@counterfoil/database';
import { EntitySchema } from 'typeorm';
import type { NewFile } from '../../application/ports/file.repository';

export const FileSchema = new EntitySchema<NewFile & { readonly id: number }>({
  name: 'File',
  tableName: 'files',
  columns: {
    id: generatedId,
    companyId: { ...wholeNumber, name: 'company_id' },
    userId: { ...wholeNumber, name: 'user_id' },
    storageKey: { type: 'text', name: 'storage_key' },
    fileName: { type: 'text', name: 'file_name' },
    mimeType: { type: 'text', name: 'mime_type' },
    size: wholeNumber,
    sha256: { type: 'text' },
    createdAt: { type: 'timestamptz', name: 'created_at' },
  },
});

export interface FileUpload {
  /** Null: begun or deleted by a release that did not record it. */
  readonly companyId: number | null;
  readonly storageKey: string;
  readonly startedAt: Date;
  readonly abandonedAt: Date | null;
}

export const FileUploadSchema = new EntitySchema<FileUpload>({
  name: 'FileUpload',
  tableName: 'file_uploads',
  columns: {
    companyId: { ...wholeNumber, name: 'company_id', nullable: true },
    storageKey: { type: 'text', name: 'storage_key', primary: true },
    startedAt: { type: 'timestamptz', name: 'started_at' },
    abandonedAt: { type: 'timestamptz', name: 'abandoned_at', nullable: true },
  },
});
