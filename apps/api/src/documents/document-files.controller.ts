import { Readable } from 'node:stream';
import type { Caller } from '@counterfoil/kernel';
import { GetRendition } from '@counterfoil/renditions';
import { applyDecorators, Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { contentHeaders, isKnown, validators } from '../files/content-headers';
import { ErrorBody } from '../http/error-body';
import { CallerOf, Requires, routeConfig } from '../http/route.decorators';
import { issuedKey } from './issued-key';
import { DocumentFileQuery, presentPdf, toRenditionChoice } from './document-files.schemas';

const Answers = () =>
  applyDecorators(
    ApiOkResponse({
      description: 'PDF/A-3, the same bytes each time',
      content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
    }),
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
  @ApiParam({ name: 'id', schema: { type: 'string' } })
  @Answers()
  async pdf(
    @CallerOf() { companyId }: Caller,
    @Param('id') text: string,
    @Query() query: DocumentFileQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | Readable | undefined> {
    const found = await this.getRendition.execute(
      companyId,
      issuedKey(text),
      toRenditionChoice('pdf', query),
    );
    const file = presentPdf(found);
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
