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
  ApiParam,
  getSchemaPath,
} from '@nestjs/swagger';
import { ApiPageOf, type SuccessBody } from '../http/answers';
import { ApiErrors } from '../http/error-body';
import { ApiStoredResponse, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import { fieldsOf, fieldsOfAny } from '../http/known-fields';
import { VISIBLE_ID, visibleIdOr404 } from '../http/path-id';
import { ApiPaginated, ApiSorted, PageQuery, SortQuery } from '../http/query-fields';
import { CallerOf, Requires, routeConfig } from '../http/route.decorators';
import {
  type CreatePartyBody,
  EditedEntityBody,
  type EditPartyBody,
  type PartyRowBody,
  ListPartiesQuery,
  MarkEntityBody,
  toCreatePartyInput,
  toEditPartyInput,
} from './parties.schemas';

/** The differences between vendors and clients in the routes that both have. */
interface Differences {
  readonly role: PartyRole;
  readonly otherRole: PartyRole;
  readonly createBody: Type<CreatePartyBody>;
  readonly editBody: Type<EditPartyBody>;
  readonly createdBody: Type<SuccessBody>;
  readonly rowBody: Type<PartyRowBody>;
  readonly presentCreated: (ids: PartyIds) => SuccessBody;
  readonly presentRow: (party: PartyRow, links: FileLinks) => PartyRowBody;
}

/** The documentation of the routes. */
const operationsOf = ({ role, otherRole }: Differences) => ({
  list: {
    operationId: `${role}s.list`,
    summary: `List ${role}s`,
    description: `The ${role}s of the company, filtered, searched and sorted.`,
  },
  create: {
    operationId: `${role}s.create`,
    summary: `Create a ${role}`,
    description: `Creates a ${role}. With \`entityId\`, an existing ${otherRole} becomes a ${role} too.`,
  },
  edit: {
    operationId: `${role}s.edit`,
    summary: `Edit a ${role}`,
    description: 'A field that is left out stays as it is.',
  },
});

/** The routes that vendors and clients share. Reading one is separate, because unknown ids get different answers. */
export function partiesController(differences: Differences) {
  const { role, createBody, editBody, createdBody, rowBody } = differences;
  const { presentCreated, presentRow } = differences;
  const operations = operationsOf(differences);

  @Injectable()
  class PartiesController {
    constructor(
      protected readonly reader: PartyReader,
      private readonly createParty: CreateParty,
      private readonly editParty: EditParty,
      protected readonly links: FileLinks,
    ) {}

    @Get()
    @Requires('read')
    @ApiOperation(operations.list)
    @ApiPaginated()
    @ApiSorted(PARTY_SORTS)
    @ApiPageOf(rowBody)
    async list(
      @CallerOf() caller: Caller,
      @Query() filter: ListPartiesQuery,
      @SortQuery(PARTY_SORTS) sort: PartySort,
      @PageQuery() page: PageRequest,
    ) {
      const list = { role, filter, sort };
      const { data, pagination } = await this.reader.list(caller.companyId, list, page);
      return { data: data.map((party) => presentRow(party, this.links)), pagination };
    }

    @Post('create')
    @Requires('write')
    @Idempotent(`${role}s.create`)
    @routeConfig({ bodyFields: fieldsOfAny(createBody, MarkEntityBody) })
    @ApiErrors('UNKNOWN_REFERENCE')
    @ApiOperation(operations.create)
    @ApiExtraModels(createBody, MarkEntityBody)
    @ApiBody({
      schema: { anyOf: [createBody, MarkEntityBody].map((type) => ({ $ref: getSchemaPath(type) })) },
    })
    @ApiCreatedResponse({ type: createdBody })
    @ApiStoredResponse({ type: createdBody })
    async create(
      @CallOf() { caller, key }: Call,
      @Body(toCreatePartyInput(createBody)) input: CreatePartyInput,
    ): Promise<SuccessBody> {
      return createOnce(key, presentCreated, (call) => this.createParty.execute(caller, role, input, call));
    }

    @Put('edit/:visibleId')
    @Requires('write')
    @routeConfig({ bodyFields: fieldsOf(editBody) })
    @ApiErrors('UNKNOWN_REFERENCE')
    @ApiOperation(operations.edit)
    @ApiParam(VISIBLE_ID)
    @ApiBody({ type: editBody })
    @ApiOkResponse({ type: EditedEntityBody })
    async edit(
      @CallerOf() caller: Caller,
      @Param('visibleId') text: string,
      @Body(toEditPartyInput(editBody)) input: SentDetails,
    ): Promise<EditedEntityBody> {
      const visibleId = visibleIdOr404(text, role);
      await this.editParty.execute(caller, { visibleId, role }, input);
      return { success: true, visibleId };
    }
  }
  return PartiesController;
}
