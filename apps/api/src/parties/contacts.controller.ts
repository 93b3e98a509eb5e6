import type { Caller } from '@counterfoil/kernel';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { AddressBookReader, CreateContact } from '@counterfoil/parties';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiPageOf } from '../http/answers';
import { ApiErrors } from '../http/error-body';
import { ApiStoredResponse, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import { ApiPaginated, PageQuery } from '../http/query-fields';
import { CallerOf, Requires } from '../http/route.decorators';
import {
  ContactBody,
  CreatedContactBody,
  NewContactBody,
  presentCreatedContact,
  toContactInput,
} from './contacts.schemas';

@ApiTags('Addresses and contacts')
@Controller('contacts')
export class ContactsController {
  constructor(
    private readonly reader: AddressBookReader,
    private readonly createContact: CreateContact,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({ operationId: 'contacts.list', summary: 'List contacts', description: 'Oldest first.' })
  @ApiPaginated()
  @ApiPageOf(ContactBody)
  list(@CallerOf() caller: Caller, @PageQuery() page: PageRequest): Promise<Page<ContactBody>> {
    return this.reader.listContacts(caller.companyId, page);
  }

  @Post('create')
  @Requires('write')
  @Idempotent('contacts.create')
  @ApiErrors('UNKNOWN_REFERENCE')
  @ApiOperation({
    operationId: 'contacts.create',
    summary: 'Create a contact',
    description: 'A new vendor or client attaches it by `existingContactId`.',
  })
  @ApiCreatedResponse({ type: CreatedContactBody })
  @ApiStoredResponse({ type: CreatedContactBody })
  async create(@CallOf() { caller, key }: Call, @Body() body: NewContactBody): Promise<CreatedContactBody> {
    return createOnce(key, presentCreatedContact, (call) =>
      this.createContact.execute(caller, toContactInput(body), call),
    );
  }
}
