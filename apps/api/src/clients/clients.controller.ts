import type { Caller } from '@counterfoil/kernel';
import { CreateClient, type CreateClientInput } from '@counterfoil/parties';
import { Body, Controller, Post } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { CallerOf } from '../http/caller.decorator';
import { Requires } from '../http/requires.decorator';
import { CreateClientBody, CreatedClientBody, MarkAsClientBody } from './clients.dto';
import { CreateClientPipe } from './create-client.pipe';

@ApiTags('Clients')
@Controller('clients')
export class ClientsController {
  constructor(private readonly createClient: CreateClient) {}

  @Post('create')
  @Requires('write')
  @ApiOperation({ summary: 'Create a client, or mark a vendor as a client too' })
  @ApiExtraModels(CreateClientBody, MarkAsClientBody)
  @ApiBody({
    schema: { anyOf: [{ $ref: getSchemaPath(CreateClientBody) }, { $ref: getSchemaPath(MarkAsClientBody) }] },
  })
  @ApiCreatedResponse({ type: CreatedClientBody })
  async create(
    @CallerOf() caller: Caller,
    @Body(CreateClientPipe) input: CreateClientInput,
  ): Promise<CreatedClientBody> {
    const { id, visibleId } = await this.createClient.execute(caller, input);
    return { success: true, clientId: id, visibleId };
  }
}
