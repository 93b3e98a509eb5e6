import {
  DocumentReader,
  type SupplierInvoiceKey,
  SupplierInvoiceReader,
  ReadChangeFeed,
} from '@counterfoil/documents';
import { AppError, type Caller } from '@counterfoil/kernel';
import type { PageRequest } from '@counterfoil/pagination';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import {
  ApiExtension,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { LIST, listSchema, PaginationBody } from '../http/answers';
import { ApiErrors } from '../http/error-body';
import { isUuid, numericId, VISIBLE_ID, visibleIdOr404 } from '../http/path-id';
import { ApiPaginated, PageQuery } from '../http/query-fields';
import { CallerOf, Requires } from '../http/route.decorators';
import {
  DocumentBody,
  DocumentRowBody,
  FoundDocumentBody,
  ListedDocumentBody,
  presentDocument,
  presentDocumentBatch,
  presentDocumentList,
  presentSupplierInvoiceAsDocument,
} from './documents.schemas';
import { ListDocumentsQuery, toDocumentFilter } from './list-documents.schemas';

const integer = { type: 'integer' };

const DOCUMENT_PAGE = listSchema(ListedDocumentBody, {
  always: {
    documents: {
      type: 'array',
      items: { $ref: getSchemaPath(ListedDocumentBody) },
      description: 'Legacy: the same as data.',
    },
    total: integer,
    page: integer,
    pageSize: integer,
  },
});
const DOCUMENT_CHANGES = listSchema(DocumentRowBody, {
  name: 'DocumentChanges',
  kind: 'feed',
  always: {
    total: integer,
    nextCursor: {
      type: ['string', 'null'],
      description: 'Where the next batch of the sweep begins; null when a sweep was opened and is empty.',
    },
    hasMore: { type: 'boolean' },
  },
});

@ApiTags('Documents')
@Controller('documents')
export class DocumentsController {
  constructor(
    private readonly reader: DocumentReader,
    private readonly supplierInvoices: SupplierInvoiceReader,
    private readonly readChangeFeed: ReadChangeFeed,
  ) {}

  @Get()
  @Requires('read')
  @ApiErrors('INVALID_CURSOR', 'INVALID_UPDATED_SINCE')
  @ApiOperation({
    operationId: 'documents.list',
    summary: 'List documents',
    description:
      'Issued documents, newest first. With `updatedSince` or `cursor`, a sweep of the change feed instead: every document that was changed since, the oldest change first. A sweep has `nextCursor` and `hasMore`, and ignores `offset` and `page`.',
  })
  @ApiPaginated()
  @ApiExtraModels(DocumentRowBody, ListedDocumentBody, PaginationBody)
  @ApiExtension(LIST, 'paged')
  @ApiOkResponse({ schema: { oneOf: [DOCUMENT_PAGE, DOCUMENT_CHANGES] } })
  async list(
    @CallerOf() caller: Caller,
    @Query() query: ListDocumentsQuery,
    @PageQuery() page: PageRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { cursor, updatedSince } = query;
    const filter = toDocumentFilter(query);
    if (cursor === undefined && updatedSince === undefined) {
      const found = await this.reader.list(caller.companyId, filter, page);
      void reply.type('application/json; charset=utf-8');
      return presentDocumentList(found);
    }
    const start = { cursor, updatedSince };
    const batch = await this.readChangeFeed.execute(caller.companyId, filter, start, page.limit);
    return presentDocumentBatch(batch, page.limit);
  }

  @Get('id/:visibleId')
  @Requires('read')
  @ApiOperation({
    operationId: 'documents.getByVisibleId',
    summary: 'Get by public id',
    description: 'Reads a document by its public id (`visibleId`).',
  })
  @ApiParam(VISIBLE_ID)
  @ApiOkResponse({ type: FoundDocumentBody })
  readByVisibleId(@CallerOf() caller: Caller, @Param('visibleId') text: string): Promise<FoundDocumentBody> {
    return this.find(caller, { visibleId: visibleIdOr404(text, 'document') });
  }

  @Get('by-external-id/:externalId')
  @Requires('read')
  @ApiOperation({
    operationId: 'documents.getByExternalId',
    summary: 'Get by external id',
    description: 'Reads a document by your own id. 404 if nothing was issued under it.',
  })
  @ApiParam({ name: 'externalId', schema: { type: 'string' } })
  @ApiOkResponse({ type: DocumentBody })
  async readByExternalId(
    @CallerOf() caller: Caller,
    @Param('externalId') externalId: string,
  ): Promise<DocumentBody> {
    const document = await this.reader.find(caller.companyId, { externalId });
    if (!document) throw notFound();
    return presentDocument(document);
  }

  @Get(':id')
  @Requires('read')
  @ApiOperation({
    operationId: 'documents.get',
    summary: 'Get a document',
    description: 'Reads a document by its numeric id, or by the public id that events carry.',
  })
  @ApiParam({ name: 'id', schema: { type: 'string' } })
  @ApiOkResponse({ type: FoundDocumentBody })
  read(@CallerOf() caller: Caller, @Param('id') text: string): Promise<FoundDocumentBody> {
    return this.find(caller, isUuid(text) ? { visibleId: text } : { id: numericId(text) });
  }

  /** Finds supplier invoices, too, because their events have the same kinds of ids. */
  private async find({ companyId }: Caller, key: SupplierInvoiceKey): Promise<FoundDocumentBody> {
    const issued = await this.reader.find(companyId, key);
    if (issued) return presentDocument(issued);
    const received = await this.supplierInvoices.find(companyId, key);
    if (received) return presentSupplierInvoiceAsDocument(received);
    throw notFound();
  }
}

function notFound(): AppError {
  return new AppError('NOT_FOUND', 'no such document');
}
