import { Readable } from 'node:stream';
import {
  DeleteFile,
  FileLinks,
  FileReader,
  type ReadableFile,
  ReadFile,
  StorageQuota,
  type StoredFile,
  type UploadedContent,
  UploadFile,
} from '@counterfoil/files';
import { Idempotency } from '@counterfoil/idempotency';
import type { Caller } from '@counterfoil/kernel';
import { Controller, Delete, Get, Param, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConflictResponse,
  ApiConsumes,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiPayloadTooLargeResponse,
  ApiQuery,
  ApiResponse,
  ApiSecurity,
  ApiTags,
  ApiUnsupportedMediaTypeResponse,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiWholeListOf, SUCCESS, SuccessBody } from '../http/answers';
import { ApiErrors, ErrorBody } from '../http/error-body';
import { ApiStoredResponse, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import type { FormRequest } from '../http/ignored-fields';
import { ReadsQuery } from '../http/known-fields';
import { letGoOfSlowReader } from '../http/pace';
import { numericId } from '../http/path-id';
import {
  type AuthenticatedRequest,
  CallerOf,
  Requires,
  routeConfig,
  TakesUpload,
} from '../http/route.decorators';
import { UNPAGED, answerUnpaged } from '../http/unpaged-list';
import { contentHeaders, isKnown, validators } from './content-headers';
import { FileBody, presentFile, presentUploadedFile, UploadedFileBody } from './files.schemas';
import { receiveFile } from './upload-form';

const FILE_ID = { name: 'id', schema: { type: 'integer' } } as const;

@ApiTags('Files')
@Controller('files')
export class FilesController {
  constructor(
    private readonly reader: FileReader,
    private readonly idempotency: Idempotency,
    private readonly quota: StorageQuota,
    private readonly uploadFile: UploadFile,
    private readonly deleteFile: DeleteFile,
    private readonly readFile: ReadFile,
    private readonly links: FileLinks,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({ operationId: 'files.list', summary: 'List files', description: `Oldest first. ${UNPAGED}` })
  @ApiWholeListOf(FileBody)
  list(@CallerOf() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    return answerUnpaged(this.reader.list(caller.companyId), (file) => presentFile(file, this.links), reply);
  }

  @Post('upload')
  @Requires('write')
  @Idempotent(null)
  @TakesUpload()
  @ApiErrors('LIMIT_REACHED')
  @ApiOperation({
    operationId: 'files.upload',
    summary: 'Upload a file',
    description: 'A file of any type, up to 25 MiB, as the part `file` of a form.',
  })
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    required: true,
    schema: {
      type: 'object',
      required: ['file'],
      properties: { file: { type: 'string', format: 'binary', description: 'One file; not empty.' } },
    },
  })
  @ApiCreatedResponse({ type: UploadedFileBody })
  @ApiStoredResponse({ type: UploadedFileBody })
  @ApiConflictResponse({
    type: ErrorBody,
    description: 'LIMIT_REACHED: the company may store no more bytes or files',
  })
  @ApiPayloadTooLargeResponse({ type: ErrorBody, description: 'The file must be at most 25 MiB' })
  @ApiUnsupportedMediaTypeResponse({ type: ErrorBody, description: 'The body is not multipart/form-data' })
  async upload(@CallOf() { caller, key }: Call, @Req() request: FormRequest): Promise<UploadedFileBody> {
    const isKeyUsed = key !== null && (await this.idempotency.isUsed(caller.companyId, key.key));
    const room = await (isKeyUsed
      ? this.quota.roomOf(caller.companyId)
      : this.quota.assertRoom(caller.companyId));
    const present = (file: StoredFile) => presentUploadedFile(file, this.links);
    return createOnce(key, present, (call) => {
      const callOf = (file: UploadedContent) => {
        key?.identify('files.upload', file);
        return call;
      };
      return receiveFile(request, (sent) =>
        this.uploadFile.execute(caller, { ...sent, callOf, isKeyUsed }, room),
      );
    });
  }

  @Delete(':id')
  @Requires('write')
  @ApiErrors('INVALID_STATE')
  @ApiOperation({
    operationId: 'files.delete',
    summary: 'Delete a file',
    description: 'Links to it no longer open it. A file in use is refused: the error says what uses it.',
  })
  @ApiParam(FILE_ID)
  @ApiOkResponse({ type: SuccessBody })
  @ApiConflictResponse({ type: ErrorBody, description: 'INVALID_STATE: the file is in use' })
  async delete(@CallerOf() caller: Caller, @Param('id') id: string): Promise<SuccessBody> {
    await this.deleteFile.execute(caller, numericId(id));
    return SUCCESS;
  }

  @Get(':id/content')
  @Requires('read')
  @routeConfig({ openedByFileLink: true })
  @ReadsQuery('content', 'expires', 'signature')
  @ApiOperation({
    operationId: 'files.download',
    summary: 'Download a file',
    description: 'The bytes of a file, with a key or by the `remoteUrl` that was given out.',
  })
  @ApiParam(FILE_ID)
  @ApiSecurity({})
  @ApiSecurity('apiKey')
  @ApiQuery({
    name: 'content',
    required: false,
    description: "Of a link: the beginning of the file's SHA-256.",
  })
  @ApiQuery({
    name: 'expires',
    type: 'integer',
    required: false,
    description: 'Of a link: seconds since 1970.',
  })
  @ApiQuery({ name: 'signature', type: 'string', required: false, description: 'Of a link.' })
  @ApiOkResponse({
    description: 'HTML, SVG and XML only as an attachment',
    content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
  })
  @ApiResponse({ status: 304, description: 'The bytes are those of the ETag that If-None-Match names' })
  async content(
    @Param('id') id: string,
    @Req() request: AuthenticatedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable | undefined> {
    const file = await this.fileFor(request, numericId(id));
    if (isKnown(file.sha256, request.headers['if-none-match'])) {
      void reply.status(304).headers(validators(file));
      return undefined;
    }
    // HEAD sends no bytes, so it opens none. For a stream, the framework keeps our Content-Length.
    const content = request.method === 'HEAD' ? Readable.from([]) : await file.open();
    void reply.headers(contentHeaders(file));
    letGoOfSlowReader(content, reply);
    return content;
  }

  private fileFor({ caller, fileLink }: AuthenticatedRequest, id: number): Promise<ReadableFile> {
    if (fileLink) return this.readFile.linked(fileLink);
    if (caller) return this.readFile.ofCompany(caller.companyId, id);
    throw new Error('the route requires a key or a link');
  }
}
