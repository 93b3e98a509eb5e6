import {
  DOCUMENT_TYPES,
  DocumentReader,
  type DocumentRecord,
  type DocumentType,
  IssueDocument,
} from '@counterfoil/documents';
import { AppError, type Caller } from '@counterfoil/kernel';
import type { PageRequest } from '@counterfoil/pagination';
import { Body, Controller, Get, Param, Post, Query, Res, UseGuards } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiPageOf } from '../http/answers';
import { CallerOf } from '../http/caller.decorator';
import { ApiPaginated, PageQuery } from '../http/page.decorator';
import { isUuid, numericId, visibleIdOr404 } from '../http/path-id';
import { Requires } from '../http/requires.decorator';
import { DocumentTypePipe } from './document-type.pipe';
import {
  CreatedDocumentBody,
  DocumentBody,
  DocumentRowBody,
  ExistingDocumentBody,
} from './documents.answers';
import { CreateDocumentBody, ListDocumentsQuery } from './documents.dto';
import {
  askedFor,
  createdDocument,
  documentList,
  documentRecord,
  existingDocument,
} from './documents.presenter';
import { RefuseIdempotencyKey } from './refuse-idempotency-key.guard';

const integer = { type: 'integer' };

@ApiTags('Documents')
@Controller('documents')
export class DocumentsController {
  constructor(
    private readonly issueDocument: IssueDocument,
    private readonly reader: DocumentReader,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({ summary: 'List issued documents, newest first' })
  @ApiPaginated()
  @ApiPageOf(DocumentRowBody, {
    documents: {
      type: 'array',
      items: { $ref: getSchemaPath(DocumentRowBody) },
      description: 'Legacy: the same as data.',
    },
    total: integer,
    page: integer,
    pageSize: integer,
  })
  async list(@CallerOf() caller: Caller, @Query() query: ListDocumentsQuery, @PageQuery() page: PageRequest) {
    const { entityId, ...filter } = query;
    const scoped = { ...filter, entityId: entityId === undefined ? undefined : Number(entityId) };
    return documentList(await this.reader.list(caller.companyId, scoped, page));
  }

  @Post('create/:type')
  @Requires('write')
  @UseGuards(RefuseIdempotencyKey)
  @ApiOperation({ summary: 'Issue a document' })
  @ApiParam({
    name: 'type',
    enum: DOCUMENT_TYPES,
    description: 'Also in lower case and with hyphens: tax-invoice.',
  })
  @ApiCreatedResponse({ type: CreatedDocumentBody })
  @ApiOkResponse({
    type: ExistingDocumentBody,
    description: 'Nothing was issued: externalId is taken by this document.',
  })
  async create(
    @CallerOf() caller: Caller,
    @Param('type', DocumentTypePipe) type: DocumentType,
    @Body() body: CreateDocumentBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedDocumentBody | ExistingDocumentBody> {
    const { document, alreadyExists } = await this.issueDocument.execute(caller, askedFor(type, body));
    if (!alreadyExists) return createdDocument(document);
    void reply.status(200);
    return existingDocument(document);
  }

  @Get('id/:visibleId')
  @Requires('read')
  @ApiOperation({ summary: 'Read a document by its public id' })
  @ApiParam({ name: 'visibleId', schema: { type: 'string', format: 'uuid' } })
  @ApiOkResponse({ type: DocumentBody })
  async readByVisibleId(@CallerOf() caller: Caller, @Param('visibleId') text: string): Promise<DocumentBody> {
    const visibleId = visibleIdOr404(text, 'document');
    return documentRecord(found(await this.reader.find(caller.companyId, { visibleId })));
  }

  @Get('by-external-id/:externalId')
  @Requires('read')
  @ApiOperation({ summary: 'Read a document by your own id; 404 when nothing was issued under it' })
  @ApiParam({ name: 'externalId', schema: { type: 'string' } })
  @ApiOkResponse({ type: DocumentBody })
  async readByExternalId(
    @CallerOf() caller: Caller,
    @Param('externalId') externalId: string,
  ): Promise<DocumentBody> {
    return documentRecord(found(await this.reader.find(caller.companyId, { externalId })));
  }

  @Get(':id')
  @Requires('read')
  @ApiOperation({ summary: 'Read a document by its numeric id, or by the public id that events carry' })
  @ApiParam({ name: 'id', schema: { type: 'string' } })
  @ApiOkResponse({ type: DocumentBody })
  async read(@CallerOf() caller: Caller, @Param('id') text: string): Promise<DocumentBody> {
    const key = isUuid(text) ? { visibleId: text } : { id: numericId(text) };
    return documentRecord(found(await this.reader.find(caller.companyId, key)));
  }
}

function found(document: DocumentRecord | null): DocumentRecord {
  if (!document) throw new AppError('NOT_FOUND', 'no such document');
  return document;
}
