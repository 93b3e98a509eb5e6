import type { Caller } from '@counterfoil/kernel';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { AddressBookReader, CreateAddress } from '@counterfoil/parties';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiPageOf } from '../http/answers';
import { ApiStoredResponse, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import { ApiPaginated, PageQuery } from '../http/query-fields';
import { CallerOf, Requires } from '../http/route.decorators';
import {
  AddressBody,
  CreateAddressBody,
  CreatedAddressBody,
  presentCreatedAddress,
  toCreateAddressInput,
} from './addresses.schemas';

@ApiTags('Addresses and contacts')
@Controller('addresses')
export class AddressesController {
  constructor(
    private readonly reader: AddressBookReader,
    private readonly createAddress: CreateAddress,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({ operationId: 'addresses.list', summary: 'List addresses', description: 'Oldest first.' })
  @ApiPaginated()
  @ApiPageOf(AddressBody)
  list(@CallerOf() caller: Caller, @PageQuery() page: PageRequest): Promise<Page<AddressBody>> {
    return this.reader.listAddresses(caller.companyId, page);
  }

  @Post('create')
  @Requires('write')
  @Idempotent('addresses.create')
  @ApiOperation({
    operationId: 'addresses.create',
    summary: 'Create an address',
    description: 'Vendors, clients, contacts and warehouses refer to it by `addressId`.',
  })
  @ApiCreatedResponse({ type: CreatedAddressBody })
  @ApiStoredResponse({ type: CreatedAddressBody })
  async create(
    @CallOf() { caller, key }: Call,
    @Body() body: CreateAddressBody,
  ): Promise<CreatedAddressBody> {
    return createOnce(key, presentCreatedAddress, (call) =>
      this.createAddress.execute(caller, toCreateAddressInput(body), call),
    );
  }
}
