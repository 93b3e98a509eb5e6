import { FileLinks } from '@counterfoil/files';
import type { Caller } from '@counterfoil/kernel';
import type { PageRequest } from '@counterfoil/pagination';
import {
  CreateEntity,
  type CreateEntityInput,
  EditEntity,
  ENTITY_SORTS,
  type EntityIds,
  EntityReader,
  type EntityRole,
  type EntityRow,
  type EntitySort,
  type SentDetails,
} from '@counterfoil/parties';
import { Body, Get, Injectable, Param, Post, Put, Query, type Type } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  getSchemaPath,
} from '@nestjs/swagger';
import { ApiPageOf, type SuccessBody } from '../http/answers';
import { CallerOf } from '../http/caller.decorator';
import { ApiReplayed, type Call, CallOf, Idempotent } from '../http/idempotency-key.decorator';
import { ApiPaginated, PageQuery } from '../http/page.decorator';
import { visibleIdOr404 } from '../http/path-id';
import { createOnce } from '../http/request-key';
import { Requires } from '../http/requires.decorator';
import { ApiSorted, SortQuery } from '../http/sort.decorator';
import {
  type CreateEntityBody,
  type EditEntityBody,
  EditedEntityBody,
  type EntityRowBody,
  ListEntitiesQuery,
  MarkEntityBody,
  toCreateEntityInput,
  toEditEntityInput,
} from './entities.schemas';

/** The differences between vendors and clients in the routes that both have. */
interface Differences {
  readonly role: EntityRole;
  readonly otherRole: EntityRole;
  readonly createBody: Type<CreateEntityBody>;
  readonly editBody: Type<EditEntityBody>;
  readonly createdBody: Type<SuccessBody>;
  readonly rowBody: Type<EntityRowBody>;
  readonly presentCreated: (ids: EntityIds) => SuccessBody;
  readonly presentRow: (entity: EntityRow, links: FileLinks) => EntityRowBody;
}

/** The routes that vendors and clients share. Reading one is not among them: the answer to an unknown id differs. */
export function entitiesController(differences: Differences) {
  const { role, otherRole, createBody, editBody, createdBody, rowBody } = differences;
  const { presentCreated, presentRow } = differences;

  @Injectable()
  class EntitiesController {
    constructor(
      protected readonly reader: EntityReader,
      private readonly createEntity: CreateEntity,
      private readonly editEntity: EditEntity,
      protected readonly links: FileLinks,
    ) {}

    @Get()
    @Requires('read')
    @ApiOperation({ summary: `List ${role}s` })
    @ApiPaginated()
    @ApiSorted(ENTITY_SORTS)
    @ApiPageOf(rowBody)
    async list(
      @CallerOf() caller: Caller,
      @Query() filter: ListEntitiesQuery,
      @SortQuery(ENTITY_SORTS) sort: EntitySort,
      @PageQuery() page: PageRequest,
    ) {
      const list = { role, filter, sort };
      const { data, pagination } = await this.reader.list(caller.companyId, list, page);
      return { data: data.map((entity) => presentRow(entity, this.links)), pagination };
    }

    @Post('create')
    @Requires('write')
    @Idempotent(`${role}s.create`)
    @ApiOperation({ summary: `Create a ${role}, or mark a ${otherRole} as a ${role} too` })
    @ApiExtraModels(createBody, MarkEntityBody)
    @ApiBody({
      schema: { anyOf: [createBody, MarkEntityBody].map((type) => ({ $ref: getSchemaPath(type) })) },
    })
    @ApiCreatedResponse({ type: createdBody })
    @ApiReplayed({ type: createdBody })
    async create(
      @CallOf() { caller, key }: Call,
      @Body(toCreateEntityInput(createBody)) input: CreateEntityInput,
    ): Promise<SuccessBody> {
      return createOnce(key, presentCreated, (call) => this.createEntity.execute(caller, role, input, call));
    }

    @Put('edit/:visibleId')
    @Requires('write')
    @ApiOperation({ summary: `Edit a ${role}; what is left out stays` })
    @ApiBody({ type: editBody })
    @ApiOkResponse({ type: EditedEntityBody })
    async edit(
      @CallerOf() caller: Caller,
      @Param('visibleId') text: string,
      @Body(toEditEntityInput(editBody)) input: SentDetails,
    ): Promise<EditedEntityBody> {
      const visibleId = visibleIdOr404(text, role);
      await this.editEntity.execute(caller, { visibleId, role }, input);
      return { success: true, visibleId };
    }
  }
  return EntitiesController;
}
