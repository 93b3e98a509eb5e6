import type { Readable } from 'node:stream';
import { type DocumentType, IssueDocument, parseDocumentType, PreviewDocument } from '@counterfoil/documents';
import { AppError, type Caller } from '@counterfoil/kernel';
import { documentPage, GetPreviewFile, mediaTypeOf, previewToPrint, ReadLogo } from '@counterfoil/renditions';
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
import { ApiErrors } from '../http/error-body';
import { ApiStoredResponse, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import { CallerOf, Requires, routeConfig } from '../http/route.decorators';
import { documentPageHeaders } from '../http/security-headers';
import { DOCUMENT_TYPES_IN_PATHS, WRITTEN_TYPES } from './document-types-in-paths';
import {
  CreatedDocumentBody,
  CreateDocumentBody,
  ExistingDocumentBody,
  presentIssuedDocument,
  presentPreview,
  PreviewDocumentBody,
  PreviewedDocumentBody,
  toIssueDocumentInput,
} from './issuing.schemas';
import { AnswersMadeFile, sendFile } from './send-file';

/** Parses the document type in a path. An unknown type is an unknown path, so it answers 404 (contract §8.1). */
@Injectable()
class DocumentTypePipe implements PipeTransform<string, DocumentType> {
  transform(text: string): DocumentType {
    const type = parseDocumentType(text);
    if (!type)
      throw new AppError('NOT_FOUND', `no such document type: it is one of ${WRITTEN_TYPES.join(', ')}`);
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
    private readonly readLogo: ReadLogo,
    private readonly getPreviewFile: GetPreviewFile,
  ) {}

  @Post('create/:type')
  @Requires('write')
  @Idempotent(documentTypeIn)
  @ApiErrors('UNKNOWN_REFERENCE', 'INVALID_STATE', 'LIMIT_REACHED')
  @ApiOperation({
    operationId: 'documents.create',
    summary: 'Issue a document',
    description:
      'Issues a document of the type in the path. It takes the next number of its type, and is never changed afterwards. A second call with the same `externalId` answers with the first document.',
  })
  @ApiParam({
    name: 'type',
    enum: DOCUMENT_TYPES_IN_PATHS,
    description: 'In either spelling: `tax-invoice` or `TAX_INVOICE`.',
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
  @ApiErrors('UNKNOWN_REFERENCE', 'INVALID_STATE', 'LIMIT_REACHED')
  @ApiOperation({
    operationId: 'documents.preview',
    summary: 'Preview a document',
    description: 'Computes a document as it would be issued. Nothing is issued, and no number is taken.',
  })
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
  @ApiErrors('UNKNOWN_REFERENCE', 'INVALID_STATE', 'LIMIT_REACHED')
  @ApiOperation({
    operationId: 'documents.previewPage',
    summary: 'Preview as a page',
    description:
      'The preview as the page of the issued document would be, to look at or print: in `documentLanguage` of the company, or else in Hebrew from right to left where a text is Hebrew.',
  })
  @ApiOkResponse({ content: { 'text/html': { schema: { type: 'string' } } } })
  async previewPage(
    @CallerOf() caller: Caller,
    @Body() body: PreviewDocumentBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const preview = await this.previewDocument.execute(caller, toIssueDocumentInput(body.type, body));
    const logo = await this.readLogo.execute(caller.companyId, preview.company.logoFileId);
    const { html, policy } = documentPage(previewToPrint(preview, logo));
    void reply.headers(documentPageHeaders(policy));
    return html;
  }

  @Post('preview/pdf')
  @HttpCode(200)
  @Requires('read')
  @routeConfig({ boundsItself: true })
  @ApiErrors('UNKNOWN_REFERENCE', 'INVALID_STATE', 'LIMIT_REACHED')
  @ApiOperation({
    operationId: 'documents.previewPdf',
    summary: 'Preview as PDF',
    description:
      'The preview as the PDF of the issued document would be, without number and e-invoice, with a watermark on each page. It is in the language of the page of the preview.',
  })
  @AnswersMadeFile('application/pdf', 'PDF/A-3, the same bytes as long as the preview stays as it is')
  async previewPdf(
    @CallerOf() { companyId }: Caller,
    @Body() body: PreviewDocumentBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | Readable | undefined> {
    const draft = toIssueDocumentInput(body.type, body);
    const { sha256, size, content } = await this.getPreviewFile.execute(companyId, draft);
    const sent = { fileName: 'preview.pdf', mimeType: mediaTypeOf('pdf'), size, sha256 };
    return sendFile(sent, content, reply);
  }
}
