import { ApiProperty } from '@nestjs/swagger';
import { SuccessBody } from '../http/answers';

export class FileBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty({ description: 'As it was sent, without its path.', maxLength: 255 })
  readonly fileName!: string;
  @ApiProperty({ description: 'Told from the bytes, not from the name.', example: 'application/pdf' })
  readonly mimeType!: string;
  @ApiProperty({ type: 'integer', minimum: 1, description: 'In bytes.' })
  readonly size!: number;
  @ApiProperty({ pattern: '^[0-9a-f]{64}$', description: 'Of the bytes.' })
  readonly sha256!: string;
  @ApiProperty({ format: 'uri', description: 'Opens the file without a key, for a while.' })
  readonly remoteUrl!: string;
  @ApiProperty({ format: 'date-time' })
  readonly createdAt!: string;
}

export class UploadedFileBody extends SuccessBody {
  @ApiProperty({ type: 'integer' })
  readonly fileId!: number;
  @ApiProperty()
  readonly file!: FileBody;
}
