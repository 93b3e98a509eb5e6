import { EVENT_CATALOGUE } from '@counterfoil/event-catalogue';
import type { Caller } from '@counterfoil/kernel';
import type { Page, PageRequest } from '@counterfoil/pagination';
import {
  EndpointReader,
  type EndpointView,
  PauseEndpoint,
  RegisterEndpoint,
  RemoveEndpoint,
  RotateSecret,
  UpdateEndpoint,
} from '@counterfoil/webhooks';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiExtension,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { ApiPageOf, LIST, SUCCESS, SuccessBody } from '../http/answers';
import { ApiErrors } from '../http/error-body';
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
  @ApiOperation({
    operationId: 'webhooks.list',
    summary: 'List webhook endpoints',
    description: 'The endpoints of the company, without their secrets.',
  })
  @ApiPaginated()
  @ApiPageOf(EndpointBody)
  list(@CallerOf() caller: Caller, @PageQuery() page: PageRequest): Promise<Page<EndpointView>> {
    return this.reader.list(caller.companyId, page);
  }

  @Get('event-types')
  @ApiOperation({
    operationId: 'webhooks.listEventTypes',
    summary: 'List event types',
    description: 'Every event type, with the JSON Schema of its body and an example.',
  })
  @ApiExtension(LIST, 'whole')
  @ApiOkResponse({ type: EventTypesBody })
  eventTypes(): EventTypesBody {
    return { data: EVENT_CATALOGUE.events };
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'webhooks.get',
    summary: 'Get a webhook endpoint',
    description: 'Reads an endpoint, without its secret.',
  })
  @ApiOkResponse({ type: EndpointBody })
  find(@CallerOf() caller: Caller, @Param('id') id: string): Promise<EndpointView> {
    return this.reader.find(caller.companyId, id);
  }

  @Post()
  @Idempotent('webhooks.create')
  @ApiErrors('URL_NOT_ALLOWED', 'LIMIT_REACHED')
  @ApiOperation({
    operationId: 'webhooks.create',
    summary: 'Create a webhook endpoint',
    description:
      'Its signing secret is shown this once. A repeated call is answered without the secret: where it was lost, change it.',
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
  @ApiErrors('URL_NOT_ALLOWED')
  @ApiOperation({
    operationId: 'webhooks.edit',
    summary: 'Edit a webhook endpoint',
    description: 'Changes where events are sent, what waits included, or which events from now on.',
  })
  @ApiOkResponse({ type: EndpointBody })
  update(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() body: UpdateEndpointBody,
  ): Promise<EndpointView> {
    return this.updateEndpoint.execute(caller, id, body);
  }

  @Post(':id/pause')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'webhooks.pause',
    summary: 'Pause a webhook endpoint',
    description: 'Nothing is sent to it; its events wait.',
  })
  @ApiOkResponse({ type: SuccessBody })
  async pause(@CallerOf() caller: Caller, @Param('id') id: string): Promise<SuccessBody> {
    await this.pauseEndpoint.pause(caller, id);
    return SUCCESS;
  }

  @Post(':id/resume')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'webhooks.resume',
    summary: 'Resume a webhook endpoint',
    description: 'Sends again to a paused endpoint, what has waited first.',
  })
  @ApiOkResponse({ type: SuccessBody })
  async resume(@CallerOf() caller: Caller, @Param('id') id: string): Promise<SuccessBody> {
    await this.pauseEndpoint.resume(caller, id);
    return SUCCESS;
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @ApiBody({ type: RotateSecretBody, required: false })
  @ApiErrors('LIMIT_REACHED')
  @ApiOperation({
    operationId: 'webhooks.rotateSecret',
    summary: 'Rotate the signing secret',
    description: 'The previous secret also signs for a while.',
  })
  @ApiOkResponse({ type: RotatedSecretBody })
  async rotate(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() { overlapHours }: RotateSecretBody,
  ): Promise<RotatedSecretBody> {
    return { success: true, secret: await this.rotateSecret.execute(caller, id, overlapHours ?? undefined) };
  }

  @Delete(':id')
  @ApiOperation({
    operationId: 'webhooks.delete',
    summary: 'Delete a webhook endpoint',
    description: 'What waits to be sent to it is dropped.',
  })
  @ApiOkResponse({ type: SuccessBody })
  async remove(@CallerOf() caller: Caller, @Param('id') id: string): Promise<SuccessBody> {
    await this.removeEndpoint.execute(caller, id);
    return SUCCESS;
  }
}
