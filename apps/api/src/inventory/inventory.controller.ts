import {
  CreateStockRecord,
  EditStockRecord,
  InventoryReader,
  MOVEMENT_SORTS,
  type MovementSort,
  RecordMovement,
} from '@counterfoil/inventory';
import type { Caller } from '@counterfoil/kernel';
import type { PageRequest } from '@counterfoil/pagination';
import { Body, Controller, Get, Param, Post, Put, Query, Res } from '@nestjs/common';
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
import { ApiPageOf } from '../http/answers';
import { ApiErrors } from '../http/error-body';
import { ApiStoredResponse, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import { numericId } from '../http/path-id';
import { ApiPaginated, ApiSorted, PageQuery, SortQuery } from '../http/query-fields';
import { CallerOf, Requires } from '../http/route.decorators';
import {
  CreateMovementBody,
  CreateStockRecordBody,
  EditStockRecordBody,
  ExistingStockRecordBody,
  ListMovementsQuery,
  ListStockQuery,
  MovementRowBody,
  presentMovement,
  presentRecordedMovement,
  presentStockRecord,
  presentStockRecordId,
  RecordedMovementBody,
  RecordedTransferBody,
  StockRecordBody,
  StockRecordIdBody,
  toRecordMovementInput,
} from './inventory.schemas';

@ApiTags('Inventory')
@Controller('inventory')
export class InventoryController {
  constructor(
    private readonly reader: InventoryReader,
    private readonly createStockRecord: CreateStockRecord,
    private readonly editStockRecord: EditStockRecord,
    private readonly recordMovement: RecordMovement,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({
    operationId: 'inventory.list',
    summary: 'List stock records',
    description: 'The stock of each product in each warehouse, oldest record first.',
  })
  @ApiPaginated()
  @ApiPageOf(StockRecordBody)
  async list(@CallerOf() caller: Caller, @Query() filter: ListStockQuery, @PageQuery() page: PageRequest) {
    const { data, pagination } = await this.reader.listRecords(caller.companyId, filter, page);
    return { data: data.map(presentStockRecord), pagination };
  }

  @Post('create')
  @Requires('write')
  @Idempotent('stock-records.create')
  @ApiErrors('UNKNOWN_REFERENCE')
  @ApiOperation({
    operationId: 'inventory.create',
    summary: 'Create a stock record',
    description: 'Makes the stock record of a product in a warehouse. There is one of both.',
  })
  @ApiCreatedResponse({ type: StockRecordIdBody })
  @ApiExtraModels(ExistingStockRecordBody, StockRecordIdBody)
  @ApiStoredResponse({
    schema: {
      anyOf: [ExistingStockRecordBody, StockRecordIdBody].map((type) => ({ $ref: getSchemaPath(type) })),
    },
    description: 'There was one already, and it stays as it is; or the call is a repetition.',
  })
  async create(
    @CallOf() { caller, key }: Call,
    @Body() { productId, warehouseId, lowStockThreshold = null }: CreateStockRecordBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StockRecordIdBody | ExistingStockRecordBody> {
    const input = { productId, warehouseId, lowStockThreshold };
    const answer = await createOnce(key, presentStockRecordId, (call) =>
      this.createStockRecord.execute(caller, input, call),
    );
    if ('alreadyExists' in answer) void reply.status(200);
    return answer;
  }

  @Put('edit/:id')
  @Requires('write')
  @ApiOperation({
    operationId: 'inventory.edit',
    summary: 'Edit a stock record',
    description: 'Changes its settings. Movements change its quantities.',
  })
  @ApiParam({ name: 'id', schema: { type: 'integer' } })
  @ApiOkResponse({ type: StockRecordIdBody })
  async edit(
    @CallerOf() caller: Caller,
    @Param('id') text: string,
    @Body() { lowStockThreshold }: EditStockRecordBody,
  ): Promise<StockRecordIdBody> {
    const inventoryId = numericId(text);
    await this.editStockRecord.execute(caller, inventoryId, lowStockThreshold);
    return { success: true, inventoryId };
  }

  @Get('movements')
  @Requires('read')
  @ApiOperation({
    operationId: 'movements.list',
    summary: 'List stock movements',
    description: 'Newest first.',
  })
  @ApiPaginated()
  @ApiSorted(MOVEMENT_SORTS, 'desc')
  @ApiPageOf(MovementRowBody)
  async movements(
    @CallerOf() caller: Caller,
    @Query() filter: ListMovementsQuery,
    @SortQuery(MOVEMENT_SORTS, 'desc') sort: MovementSort,
    @PageQuery() page: PageRequest,
  ) {
    const { data, pagination } = await this.reader.listMovements(caller.companyId, filter, sort, page);
    return { data: data.map(presentMovement), pagination };
  }

  @Post('movements/create')
  @Requires('write')
  @Idempotent('movements.create')
  @ApiErrors('UNKNOWN_REFERENCE', 'INSUFFICIENT_STOCK', 'LIMIT_REACHED')
  @ApiOperation({
    operationId: 'movements.create',
    summary: 'Record a stock movement',
    description: 'Changes the quantities of a stock record. A movement is never changed afterwards.',
  })
  @ApiExtraModels(RecordedMovementBody, RecordedTransferBody)
  @ApiCreatedResponse({
    description: 'Of a TRANSFER, with the three fields of the target.',
    schema: {
      anyOf: [RecordedTransferBody, RecordedMovementBody].map((type) => ({ $ref: getSchemaPath(type) })),
    },
  })
  @ApiStoredResponse({
    schema: {
      anyOf: [RecordedTransferBody, RecordedMovementBody].map((type) => ({ $ref: getSchemaPath(type) })),
    },
  })
  async move(
    @CallOf() { caller, key }: Call,
    @Body() body: CreateMovementBody,
  ): Promise<RecordedMovementBody | RecordedTransferBody> {
    return createOnce(key, presentRecordedMovement, (call) =>
      this.recordMovement.execute(caller, toRecordMovementInput(body), call),
    );
  }
}
