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
import { CallerOf } from '../http/caller.decorator';
import { ApiPaginated, PageQuery } from '../http/page.decorator';
import { numericId } from '../http/path-id';
import { Requires } from '../http/requires.decorator';
import { ApiSorted, SortQuery } from '../http/sort.decorator';
import {
  ExistingStockRecordBody,
  MovementRowBody,
  RecordedMovementBody,
  RecordedTransferBody,
  StockRecordBody,
  StockRecordIdBody,
} from './inventory.answers';
import {
  CreateMovementBody,
  CreateStockRecordBody,
  EditStockRecordBody,
  ListMovementsQuery,
  ListStockQuery,
} from './inventory.dto';
import { askedMovement, movementRow, recordedMovement, stockRow } from './inventory.presenter';

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
  @ApiOperation({ summary: 'List stock records, oldest first' })
  @ApiPaginated()
  @ApiPageOf(StockRecordBody)
  async list(@CallerOf() caller: Caller, @Query() filter: ListStockQuery, @PageQuery() page: PageRequest) {
    const { data, pagination } = await this.reader.records(caller.companyId, filter, page);
    return { data: data.map(stockRow), pagination };
  }

  @Post('create')
  @Requires('write')
  @ApiOperation({ summary: 'Make the stock record of a product in a warehouse; there is one of both' })
  @ApiCreatedResponse({ type: StockRecordIdBody })
  @ApiOkResponse({
    type: ExistingStockRecordBody,
    description: 'There was one already, and it stays as it is.',
  })
  async create(
    @CallerOf() caller: Caller,
    @Body() body: CreateStockRecordBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StockRecordIdBody | ExistingStockRecordBody> {
    const { productId, warehouseId, lowStockThreshold = null } = body;
    const asked = { productId, warehouseId, lowStockThreshold };
    const { id: inventoryId, alreadyExists } = await this.createStockRecord.execute(caller, asked);
    if (!alreadyExists) return { success: true, inventoryId };
    void reply.status(200);
    return { success: true, inventoryId, alreadyExists };
  }

  @Put('edit/:id')
  @Requires('write')
  @ApiOperation({ summary: 'Change what is kept beside the stock; the stock itself is changed by movements' })
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
  @ApiOperation({ summary: 'List stock movements, newest first' })
  @ApiPaginated()
  @ApiSorted(MOVEMENT_SORTS, 'desc')
  @ApiPageOf(MovementRowBody)
  async movements(
    @CallerOf() caller: Caller,
    @Query() filter: ListMovementsQuery,
    @SortQuery(MOVEMENT_SORTS, 'desc') sort: MovementSort,
    @PageQuery() page: PageRequest,
  ) {
    const { data, pagination } = await this.reader.movements(caller.companyId, filter, sort, page);
    return { data: data.map(movementRow), pagination };
  }

  @Post('movements/create')
  @Requires('write')
  @ApiOperation({ summary: 'Record a stock movement; it is never changed afterwards' })
  @ApiExtraModels(RecordedMovementBody, RecordedTransferBody)
  @ApiCreatedResponse({
    description: 'Of a TRANSFER, with the three fields of the target.',
    schema: {
      anyOf: [RecordedTransferBody, RecordedMovementBody].map((type) => ({ $ref: getSchemaPath(type) })),
    },
  })
  async move(
    @CallerOf() caller: Caller,
    @Body() body: CreateMovementBody,
  ): Promise<RecordedMovementBody | RecordedTransferBody> {
    return recordedMovement(await this.recordMovement.execute(caller, askedMovement(body)));
  }
}
