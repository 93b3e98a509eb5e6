import {
  DocumentReader,
  type SupplierInvoiceKey,
  SupplierInvoiceReader,
  ReadChangeFeed,
} from '@counterfoil/documents';
import { AppError, type Caller } from '@counterfoil/kernel';
import type { PageRequest } from '@counterfoil/pagination';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { ApiPageOf } from '../http/answers';
import { isUuid, numericId, visibleIdOr404 } from '../http/path-id';
import { ApiPaginated, PageQuery } from '../http/query-fields';
import { CallerOf, Requires } from '../http/route.decorators';
import {
  DocumentBody,
  DocumentRowBody,
  FoundDocumentBody,
  ListDocumentsQuery,
  presentDocument,
  presentDocumentBatch,
  presentDocumentList,
  presentSupplierInvoiceAsDocument,
  toDocumentFilter,
} from './documents.schemas';

const integer = { type: 'integer' };

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
  @ApiOperation({
    summary: 'List issued documents, newest first; with updatedSince or cursor, sweep their changes',
    description:
      'During a sweep the answer has nextCursor and hasMore, and no documents, page and pageSize; offset and page are ignored.',
  })
  @ApiPaginated()
  @ApiPageOf(
    DocumentRowBody,
    { total: integer },
    {
      documents: {
        type: 'array',
        items: { $ref: getSchemaPath(DocumentRowBody) },
        description: 'Legacy: the same as data.',
      },
      page: integer,
      pageSize: integer,
      nextCursor: {
        type: ['string', 'null'],
        description: 'Where the next batch of the sweep begins; null when a sweep was opened and is empty.',
      },
      hasMore: { type: 'boolean' },
    },
  )
  async list(@CallerOf() caller: Caller, @Query() query: ListDocumentsQuery, @PageQuery() page: PageRequest) {
    const { cursor, updatedSince } = query;
    const filter = toDocumentFilter(query);
    if (cursor === undefined && updatedSince === undefined) {
      return presentDocumentList(await this.reader.list(caller.companyId, filter, page));
    }
    const start = { cursor, updatedSince };
    const batch = await this.readChangeFeed.execute(caller.companyId, filter, start, page.limit);
    return presentDocumentBatch(batch, page.limit);
  }

  @Get('id/:visibleId')
  @Requires('read')
  @ApiOperation({ summary: 'Read a document by its public id' })
  @ApiParam({ name: 'visibleId', schema: { type: 'string', format: 'uuid' } })
  @ApiOkResponse({ type: FoundDocumentBody })
  readByVisibleId(@CallerOf() caller: Caller, @Param('visibleId') text: string): Promise<FoundDocumentBody> {
    return this.find(caller, { visibleId: visibleIdOr404(text, 'document') });
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
    const document = await this.reader.find(caller.companyId, { externalId });
    if (!document) throw notFound();
    return presentDocument(document);
  }

  @Get(':id')
  @Requires('read')
  @ApiOperation({ summary: 'Read a document by its numeric id, or by the public id that events carry' })
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
