import {
  DOCUMENT_TYPES,
  type DocumentType,
  IssueDocument,
  type IssuedDocument,
  PreviewDocument,
} from '@counterfoil/documents';
import type { Caller, RetryKey } from '@counterfoil/kernel';
import { Body, Controller, HttpCode, Param, Post, Res, UseInterceptors } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CallerOf } from '../http/caller.decorator';
import { ApiIdempotencyKey, replayHeader } from '../http/idempotency-key.decorator';
import { Requires } from '../http/requires.decorator';
import { DOCUMENT_PAGE_HEADERS, documentPage } from './document-page';
import { DocumentTypePipe } from './document-type.pipe';
import { CreatedDocumentBody, ExistingDocumentBody, PreviewedDocumentBody } from './documents.answers';
import { CreateDocumentBody, PreviewDocumentBody } from './documents.dto';
import { askedFor, issuedAnswer, previewedDocument, printable } from './documents.presenter';
import { type IssuingAnswer, ReplayInterceptor, RetryKeyOf } from './replay.interceptor';

@ApiTags('Documents')
@Controller('documents')
export class IssuingController {
  constructor(
    private readonly issueDocument: IssueDocument,
    private readonly previewDocument: PreviewDocument,
  ) {}

  @Post('create/:type')
  @Requires('write')
  @UseInterceptors(ReplayInterceptor)
  @ApiOperation({ summary: 'Issue a document' })
  @ApiParam({
    name: 'type',
    enum: DOCUMENT_TYPES,
    description: 'Also in lower case and with hyphens: tax-invoice.',
  })
  @ApiIdempotencyKey('Kept for 30 days, unless the operator has configured otherwise.')
  @ApiExtraModels(CreatedDocumentBody, ExistingDocumentBody)
  @ApiCreatedResponse({ type: CreatedDocumentBody })
  @ApiOkResponse({
    description: 'Nothing was issued: the call is a repetition, or externalId is taken by this document.',
    headers: replayHeader('nothing was issued now, this is the first response to a call with the same key.'),
    schema: {
      oneOf: [{ $ref: getSchemaPath(ExistingDocumentBody) }, { $ref: getSchemaPath(CreatedDocumentBody) }],
    },
  })
  async create(
    @CallerOf() caller: Caller,
    @Param('type', DocumentTypePipe) type: DocumentType,
    @RetryKeyOf() key: RetryKey | null,
    @Body() body: CreateDocumentBody,
  ): Promise<IssuingAnswer> {
    const responseTo = (issued: IssuedDocument) => JSON.stringify(issuedAnswer(issued));
    const issued = await this.issueDocument.execute(caller, askedFor(type, body), key && { key, responseTo });
    if ('replayed' in issued) return { outcome: 'replayed', text: issued.replayed };
    return { outcome: issued.alreadyExists ? 'existing' : 'created', text: responseTo(issued) };
  }

  @Post('preview')
  @HttpCode(200)
  @Requires('read')
  @ApiOperation({ summary: 'Compute a document as it would be issued; issues nothing and takes no number' })
  @ApiOkResponse({ type: PreviewedDocumentBody })
  async preview(
    @CallerOf() caller: Caller,
    @Body() body: PreviewDocumentBody,
  ): Promise<PreviewedDocumentBody> {
    return previewedDocument(await this.previewDocument.execute(caller, askedFor(body.type, body)));
  }

  @Post('preview/html')
  @HttpCode(200)
  @Requires('read')
  @ApiOperation({
    summary: 'The same as a page to look at or print; from right to left where the text is Hebrew',
  })
  @ApiOkResponse({ content: { 'text/html': { schema: { type: 'string' } } } })
  async previewPage(
    @CallerOf() caller: Caller,
    @Body() body: PreviewDocumentBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const page = documentPage(
      printable(await this.previewDocument.execute(caller, askedFor(body.type, body))),
    );
    void reply.headers(DOCUMENT_PAGE_HEADERS);
    return page;
  }
}
