import { type ApiKey, CreateApiKey, IdentityReader, RevokeApiKey } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ApiPageOf, SUCCESS, SuccessBody } from '../http/answers';
import { ApiErrors } from '../http/error-body';
import { numericId } from '../http/path-id';
import { ApiPaginated, PageQuery } from '../http/query-fields';
import { CallerOf, Requires } from '../http/route.decorators';
import { ApiKeyBody, CreateApiKeyBody, CreatedApiKeyBody, toNewKeyInput } from './api-keys.schemas';

@ApiTags('API keys')
@Controller('api-keys')
@Requires('administer')
export class ApiKeysController {
  constructor(
    private readonly reader: IdentityReader,
    private readonly createApiKey: CreateApiKey,
    private readonly revokeApiKey: RevokeApiKey,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'apiKeys.list',
    summary: 'List API keys',
    description:
      'The keys of the company that are not revoked, without their secret text. Expired ones are among them.',
  })
  @ApiPaginated()
  @ApiPageOf(ApiKeyBody)
  list(@CallerOf() caller: Caller, @PageQuery() page: PageRequest): Promise<Page<ApiKey>> {
    return this.reader.apiKeys(caller.companyId, page);
  }

  @Post()
  @ApiOperation({
    operationId: 'apiKeys.create',
    summary: 'Create an API key',
    description:
      'The key is shown this once. It acts for a user of the company, who is created if there is none of that name.',
  })
  @ApiCreatedResponse({ type: CreatedApiKeyBody })
  async create(@CallerOf() caller: Caller, @Body() body: CreateApiKeyBody): Promise<CreatedApiKeyBody> {
    const { id, key, role } = await this.createApiKey.execute(caller.companyId, toNewKeyInput(body));
    return { success: true, id, key, role };
  }

  @Delete(':id')
  @ApiErrors('INVALID_STATE')
  @ApiOperation({
    operationId: 'apiKeys.revoke',
    summary: 'Revoke an API key',
    description:
      "The next request with the key is refused. The company's last owner key is kept (409 `INVALID_STATE`): create another owner key first.",
  })
  @ApiParam({ name: 'id', schema: { type: 'integer' } })
  @ApiOkResponse({ type: SuccessBody })
  async revoke(@CallerOf() caller: Caller, @Param('id') id: string): Promise<SuccessBody> {
    await this.revokeApiKey.execute(caller.companyId, numericId(id));
    return SUCCESS;
  }
}
