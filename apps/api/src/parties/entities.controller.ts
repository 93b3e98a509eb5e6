import { FileLinks } from '@counterfoil/files';
import type { Caller } from '@counterfoil/kernel';
import type { PageRequest } from '@counterfoil/pagination';
import {
  CreateParty,
  type CreatePartyInput,
  EditParty,
  PARTY_SORTS,
  type PartyIds,
  PartyReader,
  type PartyRole,
  type PartyRow,
  type PartySort,
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
import { ApiReplayed, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import { visibleIdOr404 } from '../http/path-id';
import { ApiPaginated, ApiSorted, PageQuery, SortQuery } from '../http/query-fields';
import { CallerOf, Requires } from '../http/route.decorators';
import {
  type CreateEntityBody,
  EditedEntityBody,
  type EditEntityBody,
  type EntityRowBody,
  ListEntitiesQuery,
  MarkEntityBody,
  toCreatePartyInput,
  toEditPartyInput,
} from './entities.schemas';

/** The differences between vendors and clients in the routes that both have. */
interface Differences {
  readonly role: PartyRole;
  readonly otherRole: PartyRole;
  readonly createBody: Type<CreateEntityBody>;
  readonly editBody: Type<EditEntityBody>;
  readonly createdBody: Type<SuccessBody>;
  readonly rowBody: Type<EntityRowBody>;
  readonly presentCreated: (ids: PartyIds) => SuccessBody;
  readonly presentRow: (entity: PartyRow, links: FileLinks) => EntityRowBody;
}

/** The routes that vendors and clients share. Reading one is not among them: the answer to an unknown id differs. */
export function entitiesController(differences: Differences) {
  const { role, otherRole, createBody, editBody, createdBody, rowBody } = differences;
  const { presentCreated, presentRow } = differences;

  @Injectable()
  class EntitiesController {
    constructor(
      protected readonly reader: PartyReader,
      private readonly createEntity: CreateParty,
      private readonly editEntity: EditParty,
      protected readonly links: FileLinks,
    ) {}

    @Get()
    @Requires('read')
    @ApiOperation({ summary: `List ${role}s` })
    @ApiPaginated()
    @ApiSorted(PARTY_SORTS)
    @ApiPageOf(rowBody)
    async list(
      @CallerOf() caller: Caller,
      @Query() filter: ListEntitiesQuery,
      @SortQuery(PARTY_SORTS) sort: PartySort,
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
      @Body(toCreatePartyInput(createBody)) input: CreatePartyInput,
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
      @Body(toEditPartyInput(editBody)) input: SentDetails,
    ): Promise<EditedEntityBody> {
      const visibleId = visibleIdOr404(text, role);
      await this.editEntity.execute(caller, { visibleId, role }, input);
      return { success: true, visibleId };
    }
  }
  return EntitiesController;
}
