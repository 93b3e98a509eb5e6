import type { FileLinks, StoredFile } from '@counterfoil/files';
import {
  IntegerProperty,
  ObjectProperty,
  SuccessBody,
  TextProperty,
  TimeProperty,
  UriProperty,
} from '../http/answers';

export class FileBody {
  @IntegerProperty() readonly id!: number;
  @TextProperty({ description: 'As it was sent, without its path.', maxLength: 255 })
  readonly fileName!: string;
  @TextProperty({ description: 'Told from the bytes, not from the name.', example: 'application/pdf' })
  readonly mimeType!: string;
  @IntegerProperty({ minimum: 1, description: 'In bytes.' }) readonly size!: number;
  @TextProperty({ pattern: '^[0-9a-f]{64}$', description: 'Of the bytes.' }) readonly sha256!: string;
  @UriProperty({ description: 'Opens the file without a key, for a while.' }) readonly remoteUrl!: string;
  @TimeProperty() readonly createdAt!: string;
}

export class UploadedFileBody extends SuccessBody {
  @IntegerProperty() readonly fileId!: number;
  @ObjectProperty(FileBody) readonly file!: FileBody;
}

export function presentFile(file: StoredFile, links: FileLinks): FileBody {
  return {
    id: file.id,
    fileName: file.fileName,
    mimeType: file.mimeType,
    size: file.size,
    sha256: file.sha256,
    remoteUrl: links.urlOf(file),
    createdAt: file.createdAt.toISOString(),
  };
}

export function presentUploadedFile(file: StoredFile, links: FileLinks): UploadedFileBody {
  return { success: true, fileId: file.id, file: presentFile(file, links) };
}
