import {
  DOCUMENT_TYPES,
  type DocumentType,
  IssueDocument,
  parseDocumentType,
  PreviewDocument,
} from '@counterfoil/documents';
import { AppError, type Caller } from '@counterfoil/kernel';
import { Body, Controller, HttpCode, Injectable, Param, type PipeTransform, Post, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiStoredResponse, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import { CallerOf, Requires } from '../http/route.decorators';
import { DOCUMENT_PAGE_HEADERS, documentPage } from './document-page';
import {
  CreatedDocumentBody,
  CreateDocumentBody,
  ExistingDocumentBody,
  presentIssuedDocument,
  presentPreview,
  presentPrintable,
  PreviewDocumentBody,
  PreviewedDocumentBody,
  toIssueDocumentInput,
} from './issuing.schemas';

/** The document types in the spelling of paths in the documentation. */
const WRITTEN_TYPES = DOCUMENT_TYPES.map((type) => type.toLowerCase().replaceAll('_', '-')).join(', ');

/** Parses the document type in a path. An unknown type is an unknown path, so it answers 404 (contract §8.1). */
@Injectable()
class DocumentTypePipe implements PipeTransform<string, DocumentType> {
  transform(text: string): DocumentType {
    const type = parseDocumentType(text);
    if (!type) throw new AppError('NOT_FOUND', `no such document type: it is one of ${WRITTEN_TYPES}`);
    return type;
  }
}

/** Returns the document type of a request whose path has `:type`. */
function documentTypeIn({ params }: FastifyRequest): DocumentType {
  return new DocumentTypePipe().transform((params as { readonly type: string }).type);
}

@ApiTags('Documents')
@Controller('documents')
export class IssuingController {
  constructor(
    private readonly issueDocument: IssueDocument,
    private readonly previewDocument: PreviewDocument,
  ) {}

  @Post('create/:type')
  @Requires('write')
  @Idempotent(documentTypeIn)
  @ApiOperation({ summary: 'Issue a document' })
  @ApiParam({
    name: 'type',
    enum: DOCUMENT_TYPES,
    description: 'Also in lower case and with hyphens: tax-invoice.',
  })
  @ApiExtraModels(CreatedDocumentBody, ExistingDocumentBody)
  @ApiCreatedResponse({ type: CreatedDocumentBody })
  @ApiStoredResponse({
    description: 'Nothing was issued: the call is a repetition, or externalId is taken by this document.',
    schema: {
      oneOf: [{ $ref: getSchemaPath(ExistingDocumentBody) }, { $ref: getSchemaPath(CreatedDocumentBody) }],
    },
  })
  async create(
    @CallOf() { caller, key }: Call,
    @Param('type', DocumentTypePipe) type: DocumentType,
    @Body() body: CreateDocumentBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedDocumentBody | ExistingDocumentBody> {
    const answer = await createOnce(key, presentIssuedDocument, (call) =>
      this.issueDocument.execute(caller, toIssueDocumentInput(type, body), call),
    );
    if ('alreadyExists' in answer) void reply.status(200);
    return answer;
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
    return presentPreview(await this.previewDocument.execute(caller, toIssueDocumentInput(body.type, body)));
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
      presentPrintable(await this.previewDocument.execute(caller, toIssueDocumentInput(body.type, body))),
    );
    void reply.headers(DOCUMENT_PAGE_HEADERS);
    return page;
  }
}
