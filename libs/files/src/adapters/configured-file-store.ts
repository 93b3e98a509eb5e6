import path from 'node:path';
import type { Config } from '@counterfoil/config';
import type { FileStore } from '../application/ports/file-store';
import { DiskFileStore } from './disk/disk-file-store';
import { S3FileStore } from './s3/s3-file-store';

/** Chooses the store by the configuration (contract §13.6). */
export function configuredFileStore({ dataDir, files: { s3 } }: Config): FileStore {
  return s3 ? new S3FileStore(s3) : new DiskFileStore(path.join(dataDir, 'files'));
}
