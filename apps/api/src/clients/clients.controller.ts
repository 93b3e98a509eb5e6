import { AppError, type Caller } from '@counterfoil/kernel';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { VISIBLE_ID, visibleIdOr404 } from '../http/path-id';
import { CallerOf, Requires } from '../http/route.decorators';
import { partiesController } from '../parties/parties.controller';
import {
  ClientBody,
  ClientRowBody,
  CreateClientBody,
  CreatedClientBody,
  EditClientBody,
  presentClient,
  presentClientRow,
  presentCreatedClient,
} from './clients.schemas';

@ApiTags('Clients')
@Controller('clients')
export class ClientsController extends partiesController({
  role: 'client',
  otherRole: 'vendor',
  createBody: CreateClientBody,
  editBody: EditClientBody,
  createdBody: CreatedClientBody,
  rowBody: ClientRowBody,
  presentCreated: presentCreatedClient,
  presentRow: presentClientRow,
}) {
  @Get('id/:visibleId')
  @Requires('read')
  @ApiOperation({
    operationId: 'clients.get',
    summary: 'Get a client',
    description: 'Reads a client by its public id.',
  })
  @ApiParam(VISIBLE_ID)
  @ApiOkResponse({ type: ClientBody })
  async one(@CallerOf() caller: Caller, @Param('visibleId') visibleId: string): Promise<ClientBody> {
    const client = await this.reader.find(caller.companyId, 'client', visibleIdOr404(visibleId, 'client'));
    if (!client) throw new AppError('NOT_FOUND', 'no such client');
    return presentClient(client, this.links);
  }
}
