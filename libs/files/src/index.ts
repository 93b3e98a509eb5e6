export { FileLinks, type LinkQuery } from './application/file-links';
export { FileDirectory } from './application/ports/file-directory';
export { FileReader } from './application/ports/file.reader';
export { ReadFile, type ReadableFile } from './application/read-file';
export { SweepUploads } from './application/sweep-uploads';
export { type SentFile, UploadFile } from './application/upload-file';
export { FILE_BYTES_MAX, type FileEntry, type StoredFile } from './domain/file';
export { FilesModule } from './files.module';
