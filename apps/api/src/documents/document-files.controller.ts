import { Readable } from 'node:stream';
import type { Caller } from '@counterfoil/kernel';
import { GetRendition, type RenditionFormat } from '@counterfoil/renditions';
import { applyDecorators, Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { contentHeaders, isKnown, validators } from '../files/content-headers';
import { ErrorBody } from '../http/error-body';
import { isUuid, numericId } from '../http/path-id';
import { CallerOf, Requires, routeConfig } from '../http/route.decorators';
import { DocumentFileQuery, presentDocumentFile, toRenditionChoice } from './document-files.schemas';

const ID = { name: 'id', schema: { type: 'string' } } as const;

const PDF = { 'application/pdf': { schema: { type: 'string', format: 'binary' } } } as const;
const HTML = { 'text/html': { schema: { type: 'string' } } } as const;

const Answers = (description: string, content: typeof PDF | typeof HTML) =>
  applyDecorators(
    ApiOkResponse({ description, content }),
    ApiResponse({ status: 304, description: 'The bytes are those of the ETag that If-None-Match names' }),
    ApiResponse({
      status: 503,
      type: ErrorBody,
      description: 'UNAVAILABLE: not made in time, or too many calls of the company wait; ask again',
    }),
  );

/** The files of issued documents. The worker makes a file when it is asked for first. */
@ApiTags('Documents')
@Controller('documents')
@routeConfig({ boundsItself: true })
export class DocumentFilesController {
  constructor(private readonly getRendition: GetRendition) {}

  @Get('id/:id/pdf')
  @Requires('read')
  @ApiOperation({
    operationId: 'documents.pdf',
    summary: 'Get the PDF',
    description:
      'The pages of an issued document, by its public id (`visibleId`) or its numeric one: in Hebrew from right to left, or in English, with both parties as they were when it was issued.',
  })
  @ApiParam(ID)
  @Answers('PDF/A-3, the same bytes each time', PDF)
  pdf(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Query() query: DocumentFileQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | Readable | undefined> {
    return this.send({ caller, id, query, format: 'pdf' }, reply);
  }

  @Get('id/:id/html')
  @Requires('read')
  @ApiOperation({
    operationId: 'documents.html',
    summary: 'Get the HTML page',
    description:
      'The issued document as one HTML page, by its public id (`visibleId`) or its numeric one, with all that the PDF shows. It runs and loads nothing.',
  })
  @ApiParam(ID)
  @Answers('A complete page, the same bytes each time', HTML)
  html(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Query() query: DocumentFileQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | Readable | undefined> {
    return this.send({ caller, id, query, format: 'html' }, reply);
  }

  private async send(
    { caller: { companyId }, id, query, format }: AskedFile,
    reply: FastifyReply,
  ): Promise<Buffer | Readable | undefined> {
    const key = isUuid(id) ? { visibleId: id } : { id: numericId(id) };
    const found = await this.getRendition.execute(companyId, key, toRenditionChoice(format, query));
    const file = presentDocumentFile(format, found);
    const { headers, method } = reply.request;
    if (isKnown(file.sha256, headers['if-none-match'])) {
      void reply.status(304).headers(validators(file));
      return undefined;
    }
    void reply.headers(contentHeaders(file));
    // For a stream, the framework keeps our Content-Length.
    return method === 'HEAD' ? Readable.from([]) : found.content();
  }
}

interface AskedFile {
  readonly caller: Caller;
  readonly id: string;
  readonly query: DocumentFileQuery;
  readonly format: RenditionFormat;
}
