import { FileLinks } from '@counterfoil/files';
import type { Caller } from '@counterfoil/kernel';
import type { PageRequest } from '@counterfoil/pagination';
import {
  CreateEntity,
  type CreateEntityInput,
  EditEntity,
  ENTITY_SORTS,
  EntityReader,
  type EntitySort,
} from '@counterfoil/parties';
import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { ApiPageOf } from '../http/answers';
import { CallerOf } from '../http/caller.decorator';
import { ApiPaginated, PageQuery } from '../http/page.decorator';
import { isUuid, visibleIdOr404 } from '../http/path-id';
import { Requires } from '../http/requires.decorator';
import { ApiSorted, SortQuery } from '../http/sort.decorator';
import { CreateEntityPipe } from '../parties/create-entity.pipe';
import { EditedEntityBody, ListEntitiesQuery, MarkEntityBody } from '../parties/entity.dto';
import {
  CreatedVendorBody,
  CreateVendorBody,
  EditVendorBody,
  VendorBody,
  VendorRowBody,
} from './vendors.dto';
import { vendorRecord, vendorRow } from './vendors.presenter';

@ApiTags('Vendors')
@Controller('vendors')
export class VendorsController {
  constructor(
    private readonly reader: EntityReader,
    private readonly createEntity: CreateEntity,
    private readonly editEntity: EditEntity,
    private readonly links: FileLinks,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({ summary: 'List vendors' })
  @ApiPaginated()
  @ApiSorted(ENTITY_SORTS)
  @ApiPageOf(VendorRowBody)
  async list(
    @CallerOf() caller: Caller,
    @Query() filter: ListEntitiesQuery,
    @SortQuery(ENTITY_SORTS) sort: EntitySort,
    @PageQuery() page: PageRequest,
  ) {
    const list = { role: 'vendor', filter, sort } as const;
    const { data, pagination } = await this.reader.list(caller.companyId, list, page);
    return { data: data.map((entity) => vendorRow(entity, this.links)), pagination };
  }

  @Get('id/:visibleId')
  @Requires('read')
  @ApiOperation({ summary: 'Read a vendor; null when there is none of this id' })
  @ApiExtraModels(VendorBody)
  @ApiOkResponse({ schema: { anyOf: [{ $ref: getSchemaPath(VendorBody) }, { type: 'null' }] } })
  async one(@CallerOf() caller: Caller, @Param('visibleId') visibleId: string): Promise<VendorBody | null> {
    if (!isUuid(visibleId)) return null;
    const vendor = await this.reader.find(caller.companyId, 'vendor', visibleId.toLowerCase());
    return vendor && vendorRecord(vendor, this.links);
  }

  @Post('create')
  @Requires('write')
  @ApiOperation({ summary: 'Create a vendor, or mark a client as a vendor too' })
  @ApiExtraModels(CreateVendorBody, MarkEntityBody)
  @ApiBody({
    schema: { anyOf: [{ $ref: getSchemaPath(CreateVendorBody) }, { $ref: getSchemaPath(MarkEntityBody) }] },
  })
  @ApiCreatedResponse({ type: CreatedVendorBody })
  async create(
    @CallerOf() caller: Caller,
    @Body(new CreateEntityPipe(CreateVendorBody)) input: CreateEntityInput,
  ): Promise<CreatedVendorBody> {
    const { id, visibleId } = await this.createEntity.execute(caller, 'vendor', input);
    return { success: true, vendorId: id, visibleId };
  }

  @Put('edit/:visibleId')
  @Requires('write')
  @ApiOperation({ summary: 'Edit a vendor; what is left out stays' })
  @ApiOkResponse({ type: EditedEntityBody })
  async edit(
    @CallerOf() caller: Caller,
    @Param('visibleId') visibleId: string,
    @Body() body: EditVendorBody,
  ): Promise<EditedEntityBody> {
    const vendor = { visibleId: visibleIdOr404(visibleId, 'vendor'), role: 'vendor' } as const;
    await this.editEntity.execute(caller, vendor, body);
    return { success: true, visibleId: vendor.visibleId };
  }
}
