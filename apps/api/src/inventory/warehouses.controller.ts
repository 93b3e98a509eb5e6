import { CreateWarehouse, InventoryReader } from '@counterfoil/inventory';
import type { Caller } from '@counterfoil/kernel';
import { type Page, wholeSet } from '@counterfoil/pagination';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiPageOf } from '../http/answers';
import { CallerOf } from '../http/caller.decorator';
import { Requires } from '../http/requires.decorator';
import { WHOLE_SET } from '../http/whole-set';
import { CreatedWarehouseBody, WarehouseBody } from './inventory.answers';
import { CreateWarehouseBody } from './inventory.dto';
import { warehouseRow } from './inventory.presenter';

@ApiTags('Inventory')
@Controller('warehouses')
export class WarehousesController {
  constructor(
    private readonly reader: InventoryReader,
    private readonly createWarehouse: CreateWarehouse,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({ summary: 'All warehouses, oldest first', description: WHOLE_SET })
  @ApiPageOf(WarehouseBody)
  async list(@CallerOf() caller: Caller): Promise<Page<WarehouseBody>> {
    return wholeSet((await this.reader.warehouses(caller.companyId)).map(warehouseRow));
  }

  @Post('create')
  @Requires('write')
  @ApiOperation({ summary: 'Create a warehouse' })
  @ApiCreatedResponse({ type: CreatedWarehouseBody })
  async create(@CallerOf() caller: Caller, @Body() body: CreateWarehouseBody): Promise<CreatedWarehouseBody> {
    const { name, addressId = null } = body;
    return { success: true, warehouseId: await this.createWarehouse.execute(caller, { name, addressId }) };
  }
}
