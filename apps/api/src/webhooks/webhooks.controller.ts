import type { Caller } from '@counterfoil/kernel';
import type { Page, PageRequest } from '@counterfoil/pagination';
import {
  EndpointReader,
  RegisterEndpoint,
  RemoveEndpoint,
  type WebhookEndpoint,
} from '@counterfoil/webhooks';
import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiPageOf, SUCCESS, SuccessBody } from '../http/answers';
import { CallerOf } from '../http/caller.decorator';
import { ApiPaginated, PageQuery } from '../http/page.decorator';
import { Requires } from '../http/requires.decorator';
import { EndpointBody, RegisterEndpointBody, RegisteredEndpointBody } from './webhooks.dto';

/** `/gateway/webhooks` is a permanent alias (spec: Versioning). */
@ApiTags('Webhooks')
@Controller(['webhooks', 'gateway/webhooks'])
@Requires('administer')
export class WebhooksController {
  constructor(
    private readonly reader: EndpointReader,
    private readonly registerEndpoint: RegisterEndpoint,
    private readonly removeEndpoint: RemoveEndpoint,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List endpoints, without their secrets' })
  @ApiPaginated()
  @ApiPageOf(EndpointBody)
  list(@CallerOf() caller: Caller, @PageQuery() page: PageRequest): Promise<Page<WebhookEndpoint>> {
    return this.reader.list(caller.companyId, page);
  }

  @Post()
  @ApiOperation({ summary: 'Register an endpoint; its signing secret is shown this once' })
  @ApiCreatedResponse({ type: RegisteredEndpointBody })
  async register(
    @CallerOf() caller: Caller,
    @Body() body: RegisterEndpointBody,
  ): Promise<RegisteredEndpointBody> {
    const { id, url, events, secret } = await this.registerEndpoint.execute(caller, body);
    return { success: true, id, url, events, secret };
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Remove an endpoint; what waits to be sent to it is dropped' })
  @ApiOkResponse({ type: SuccessBody })
  async remove(@CallerOf() caller: Caller, @Param('id') id: string): Promise<SuccessBody> {
    await this.removeEndpoint.execute(caller, id);
    return SUCCESS;
  }
}
