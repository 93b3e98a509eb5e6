import { EVENT_CATALOGUE } from '@counterfoil/event-catalogue';
import type { Caller } from '@counterfoil/kernel';
import type { Page, PageRequest } from '@counterfoil/pagination';
import {
  EndpointReader,
  PauseEndpoint,
  RegisterEndpoint,
  RemoveEndpoint,
  RotateSecret,
  UpdateEndpoint,
  type WebhookEndpoint,
} from '@counterfoil/webhooks';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiPageOf, SUCCESS, SuccessBody } from '../http/answers';
import { ApiStoredResponse, type Call, CallOf, Idempotent } from '../http/idempotency';
import { ApiPaginated, PageQuery } from '../http/query-fields';
import { CallerOf, Requires } from '../http/route.decorators';
import {
  EndpointBody,
  EventTypesBody,
  presentRegisteredEndpoint,
  presentStoredEndpoint,
  RegisteredEndpointBody,
  RegisterEndpointBody,
  ReplayedEndpointBody,
  RotatedSecretBody,
  RotateSecretBody,
  UpdateEndpointBody,
} from './webhooks.schemas';

/** `/gateway/webhooks` is a permanent alias (contract §1.10). */
@ApiTags('Webhooks')
@Controller(['webhooks', 'gateway/webhooks'])
@Requires('administer')
export class WebhooksController {
  constructor(
    private readonly reader: EndpointReader,
    private readonly registerEndpoint: RegisterEndpoint,
    private readonly updateEndpoint: UpdateEndpoint,
    private readonly pauseEndpoint: PauseEndpoint,
    private readonly rotateSecret: RotateSecret,
    private readonly removeEndpoint: RemoveEndpoint,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List endpoints, without their secrets' })
  @ApiPaginated()
  @ApiPageOf(EndpointBody)
  list(@CallerOf() caller: Caller, @PageQuery() page: PageRequest): Promise<Page<WebhookEndpoint>> {
    return this.reader.list(caller.companyId, page);
  }

  @Get('event-types')
  @ApiOperation({ summary: 'Every event type, with the JSON Schema of its body and an example' })
  @ApiOkResponse({ type: EventTypesBody })
  eventTypes(): EventTypesBody {
    return { data: EVENT_CATALOGUE.events };
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read an endpoint, without its secret' })
  @ApiOkResponse({ type: EndpointBody })
  find(@CallerOf() caller: Caller, @Param('id') id: string): Promise<WebhookEndpoint> {
    return this.reader.find(caller.companyId, id);
  }

  @Post()
  @Idempotent('webhooks.create')
  @ApiOperation({
    summary: 'Register an endpoint; its signing secret is shown this once',
    description: 'A repeated call is answered without the secret: where it was lost, change it.',
  })
  @ApiCreatedResponse({ type: RegisteredEndpointBody })
  @ApiStoredResponse({ type: ReplayedEndpointBody })
  async register(
    @CallOf() { caller, key }: Call,
    @Body() body: RegisterEndpointBody,
  ): Promise<RegisteredEndpointBody> {
    const call = key && key.callWith(presentStoredEndpoint);
    return presentRegisteredEndpoint(await this.registerEndpoint.execute(caller, body, call));
  }

  @Put(':id')
  @ApiOperation({ summary: 'Change where events are sent, what waits included, or which from now on' })
  @ApiOkResponse({ type: EndpointBody })
  update(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() body: UpdateEndpointBody,
  ): Promise<WebhookEndpoint> {
    return this.updateEndpoint.execute(caller, id, body);
  }

  @Post(':id/pause')
  @HttpCode(200)
  @ApiOperation({ summary: 'Stop sending to an endpoint; its events wait' })
  @ApiOkResponse({ type: SuccessBody })
  async pause(@CallerOf() caller: Caller, @Param('id') id: string): Promise<SuccessBody> {
    await this.pauseEndpoint.pause(caller, id);
    return SUCCESS;
  }

  @Post(':id/resume')
  @HttpCode(200)
  @ApiOperation({ summary: 'Send again to a paused endpoint, what has waited first' })
  @ApiOkResponse({ type: SuccessBody })
  async resume(@CallerOf() caller: Caller, @Param('id') id: string): Promise<SuccessBody> {
    await this.pauseEndpoint.resume(caller, id);
    return SUCCESS;
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @ApiBody({ type: RotateSecretBody, required: false })
  @ApiOperation({ summary: 'Change the signing secret; the previous one also signs for a while' })
  @ApiOkResponse({ type: RotatedSecretBody })
  async rotate(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() { overlapHours }: RotateSecretBody,
  ): Promise<RotatedSecretBody> {
    return { success: true, secret: await this.rotateSecret.execute(caller, id, overlapHours) };
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Remove an endpoint; what waits to be sent to it is dropped' })
  @ApiOkResponse({ type: SuccessBody })
  async remove(@CallerOf() caller: Caller, @Param('id') id: string): Promise<SuccessBody> {
    await this.removeEndpoint.execute(caller, id);
    return SUCCESS;
  }
}
