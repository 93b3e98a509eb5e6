import { FileLinks } from '@counterfoil/files';
import { AppError, type Caller } from '@counterfoil/kernel';
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
import { visibleIdOr404 } from '../http/path-id';
import { Requires } from '../http/requires.decorator';
import { ApiSorted, SortQuery } from '../http/sort.decorator';
import { CreateEntityPipe } from '../parties/create-entity.pipe';
import { EditedEntityBody, ListEntitiesQuery, MarkEntityBody } from '../parties/entity.dto';
import { entityRow } from '../parties/entity.presenter';
import {
  ClientBody,
  ClientRowBody,
  CreateClientBody,
  CreatedClientBody,
  EditClientBody,
} from './clients.dto';
import { clientRecord } from './clients.presenter';

@ApiTags('Clients')
@Controller('clients')
export class ClientsController {
  constructor(
    private readonly reader: EntityReader,
    private readonly createEntity: CreateEntity,
    private readonly editEntity: EditEntity,
    private readonly links: FileLinks,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({ summary: 'List clients' })
  @ApiPaginated()
  @ApiSorted(ENTITY_SORTS)
  @ApiPageOf(ClientRowBody)
  async list(
    @CallerOf() caller: Caller,
    @Query() filter: ListEntitiesQuery,
    @SortQuery(ENTITY_SORTS) sort: EntitySort,
    @PageQuery() page: PageRequest,
  ) {
    const list = { role: 'client', filter, sort } as const;
    const { data, pagination } = await this.reader.list(caller.companyId, list, page);
    return { data: data.map((entity) => entityRow(entity, this.links)), pagination };
  }

  @Get('id/:visibleId')
  @Requires('read')
  @ApiOperation({ summary: 'Read a client' })
  @ApiOkResponse({ type: ClientBody })
  async one(@CallerOf() caller: Caller, @Param('visibleId') visibleId: string): Promise<ClientBody> {
    const client = await this.reader.find(caller.companyId, 'client', visibleIdOr404(visibleId, 'client'));
    if (!client) throw new AppError('NOT_FOUND', 'no such client');
    return clientRecord(client, this.links);
  }

  @Post('create')
  @Requires('write')
  @ApiOperation({ summary: 'Create a client, or mark a vendor as a client too' })
  @ApiExtraModels(CreateClientBody, MarkEntityBody)
  @ApiBody({
    schema: { anyOf: [{ $ref: getSchemaPath(CreateClientBody) }, { $ref: getSchemaPath(MarkEntityBody) }] },
  })
  @ApiCreatedResponse({ type: CreatedClientBody })
  async create(
    @CallerOf() caller: Caller,
    @Body(new CreateEntityPipe(CreateClientBody)) input: CreateEntityInput,
  ): Promise<CreatedClientBody> {
    const { id, visibleId } = await this.createEntity.execute(caller, 'client', input);
    return { success: true, clientId: id, visibleId };
  }

  @Put('edit/:visibleId')
  @Requires('write')
  @ApiOperation({ summary: 'Edit a client; what is left out stays' })
  @ApiOkResponse({ type: EditedEntityBody })
  async edit(
    @CallerOf() caller: Caller,
    @Param('visibleId') visibleId: string,
    @Body() body: EditClientBody,
  ): Promise<EditedEntityBody> {
    const client = { visibleId: visibleIdOr404(visibleId, 'client'), role: 'client' } as const;
    await this.editEntity.execute(caller, client, body);
    return { success: true, visibleId: client.visibleId };
  }
}
