import { CreateWarehouse, InventoryReader } from '@counterfoil/inventory';
import type { Caller } from '@counterfoil/kernel';
import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiWholeListOf } from '../http/answers';
import { ApiErrors } from '../http/error-body';
import { ApiStoredResponse, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import { CallerOf, Requires } from '../http/route.decorators';
import { answerUnpaged, UNPAGED } from '../http/unpaged-list';
import {
  CreatedWarehouseBody,
  CreateWarehouseBody,
  presentCreatedWarehouse,
  presentWarehouse,
  WarehouseBody,
} from './warehouses.schemas';

@ApiTags('Inventory')
@Controller('warehouses')
export class WarehousesController {
  constructor(
    private readonly reader: InventoryReader,
    private readonly createWarehouse: CreateWarehouse,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({
    operationId: 'warehouses.list',
    summary: 'List warehouses',
    description: `Oldest first. ${UNPAGED}`,
  })
  @ApiWholeListOf(WarehouseBody)
  list(@CallerOf() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    return answerUnpaged(this.reader.warehouses(caller.companyId), presentWarehouse, reply);
  }

  @Post('create')
  @Requires('write')
  @Idempotent('warehouses.create')
  @ApiErrors('UNKNOWN_REFERENCE')
  @ApiOperation({
    operationId: 'warehouses.create',
    summary: 'Create a warehouse',
    description: 'Stock records are of a product in a warehouse.',
  })
  @ApiCreatedResponse({ type: CreatedWarehouseBody })
  @ApiStoredResponse({ type: CreatedWarehouseBody })
  async create(
    @CallOf() { caller, key }: Call,
    @Body() { name, addressId = null }: CreateWarehouseBody,
  ): Promise<CreatedWarehouseBody> {
    return createOnce(key, presentCreatedWarehouse, (call) =>
      this.createWarehouse.execute(caller, { name, addressId }, call),
    );
  }
}
