import { Readable } from 'node:stream';
import { FileLinks, FileReader, ReadFile, type ReadableFile, UploadFile } from '@counterfoil/files';
import type { Caller } from '@counterfoil/kernel';
import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiPayloadTooLargeResponse,
  ApiQuery,
  ApiResponse,
  ApiSecurity,
  ApiTags,
  ApiUnsupportedMediaTypeResponse,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiPageOf } from '../http/answers';
import type { AuthenticatedRequest } from '../http/auth.guard';
import { CallerOf } from '../http/caller.decorator';
import { ErrorBody } from '../http/error-body';
import { numericId } from '../http/path-id';
import { Requires } from '../http/requires.decorator';
import { TakesUpload } from '../http/upload.decorator';
import { WHOLE_SET, wholeSetAnswer } from '../http/whole-set';
import { OpenedByLink } from './file-link.guard';
import { FileBody, UploadedFileBody } from './files.answers';
import { contentHeaders, fileRow, isKnown, validators } from './files.presenter';
import { receiveFile } from './upload-form';

/** For so long, or twice as long where Node takes the last that was read for progress, a caller may read nothing. */
const STALLED_MS = 60_000;

@ApiTags('Files')
@Controller('files')
export class FilesController {
  constructor(
    private readonly reader: FileReader,
    private readonly uploadFile: UploadFile,
    private readonly readFile: ReadFile,
    private readonly links: FileLinks,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({ summary: 'All files, oldest first', description: WHOLE_SET })
  @ApiPageOf(FileBody)
  list(@CallerOf() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    return wholeSetAnswer(this.reader.list(caller.companyId), (file) => fileRow(file, this.links), reply);
  }

  @Post('upload')
  @TakesUpload('write')
  @ApiOperation({ summary: 'Upload a file of any type, up to 25 MiB' })
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
  @ApiPayloadTooLargeResponse({ type: ErrorBody, description: 'The file is larger than 25 MiB' })
  @ApiUnsupportedMediaTypeResponse({ type: ErrorBody, description: 'The body is not multipart/form-data' })
  async upload(@CallerOf() caller: Caller, @Req() request: FastifyRequest): Promise<UploadedFileBody> {
    const stored = await receiveFile(request, (sent) => this.uploadFile.execute(caller, sent));
    return { success: true, fileId: stored.id, file: fileRow(stored, this.links) };
  }

  @Get(':id/content')
  @Requires('read')
  @OpenedByLink()
  @ApiOperation({ summary: 'The bytes of a file, with a key or by the remoteUrl that was given out' })
  @ApiSecurity({})
  @ApiSecurity('apiKey')
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
      void reply.status(304).headers(validators(file.sha256));
      return undefined;
    }
    // Where nothing is sent, the framework keeps the length only of a stream.
    const content = request.method === 'HEAD' ? Readable.from([]) : await file.open();
    void reply.headers(contentHeaders(file));
    // A caller who has stopped reading holds a place that others need.
    reply.raw.setTimeout(STALLED_MS, () => content.destroy());
    return content;
  }

  private fileFor({ caller }: AuthenticatedRequest, id: number): Promise<ReadableFile> {
    return caller ? this.readFile.ofCompany(caller.companyId, id) : this.readFile.linked(id);
  }
}
