import type { Caller } from '@counterfoil/kernel';
import type { Page, PageRequest } from '@counterfoil/pagination';
import {
  type DeliveryView,
  type DeliveryWithEvent,
  ReadDeliveries,
  RedeliverDelivery,
  type RedeliveryProgress,
  SendTestEvent,
  StartRedelivery,
} from '@counterfoil/webhooks';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ApiPageOf, SUCCESS, SuccessBody } from '../http/answers';
import { ApiErrors } from '../http/error-body';
import { ApiStoredResponse, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import { numericId } from '../http/path-id';
import { ApiPaginated, PageQuery } from '../http/query-fields';
import { CallerOf, Requires } from '../http/route.decorators';
import {
  DeliveryBody,
  DeliveryWithEventBody,
  ListDeliveriesQuery,
  presentStartedRedelivery,
  ReplayBody,
  SendTestEventBody,
  SentTestEventBody,
  StartedReplayBody,
  StartReplayBody,
  toListInput,
  toStartRedeliveryInput,
} from './webhook-deliveries.schemas';

const DELIVERY_ID = { name: 'deliveryId', schema: { type: 'integer' } } as const;
const REPLAY_ID = { name: 'replayId', schema: { type: 'integer' } } as const;

/** Deliveries to an endpoint, their outcomes and their replay (contract §15.14). */
@ApiTags('Webhooks')
@Controller(['webhooks/:id', 'gateway/webhooks/:id'])
@Requires('administer')
export class WebhookDeliveriesController {
  constructor(
    private readonly readDeliveries: ReadDeliveries,
    private readonly redeliverDelivery: RedeliverDelivery,
    private readonly startRedelivery: StartRedelivery,
    private readonly sendTestEvent: SendTestEvent,
  ) {}

  @Get('deliveries')
  @ApiOperation({
    operationId: 'webhooks.listDeliveries',
    summary: 'List deliveries',
    description: 'The deliveries of an endpoint with their attempts, the latest first.',
  })
  @ApiPaginated()
  @ApiPageOf(DeliveryBody)
  list(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Query() query: ListDeliveriesQuery,
    @PageQuery() page: PageRequest,
  ): Promise<Page<DeliveryView>> {
    return this.readDeliveries.list(caller, id, { filter: toListInput(query), page });
  }

  @Get('deliveries/:deliveryId')
  @ApiOperation({
    operationId: 'webhooks.getDelivery',
    summary: 'Get a delivery',
    description: 'Reads a delivery, with the exact body that is sent.',
  })
  @ApiParam(DELIVERY_ID)
  @ApiOkResponse({ type: DeliveryWithEventBody })
  find(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<DeliveryWithEvent> {
    return this.readDeliveries.find(caller, id, numericId(deliveryId, 'deliveryId'));
  }

  @Post('deliveries/:deliveryId/replay')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'webhooks.replayDelivery',
    summary: 'Replay a delivery',
    description: 'Sends a delivery again now, whatever its state.',
  })
  @ApiParam(DELIVERY_ID)
  @ApiOkResponse({ type: SuccessBody })
  async replay(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<SuccessBody> {
    await this.redeliverDelivery.execute(caller, id, numericId(deliveryId, 'deliveryId'));
    return SUCCESS;
  }

  @Post('replay')
  @HttpCode(200)
  @Idempotent(({ params }) => `webhooks.replay ${(params as { readonly id: string }).id}`)
  @ApiErrors('INVALID_STATE')
  @ApiOperation({
    operationId: 'webhooks.startReplay',
    summary: 'Replay a range of deliveries',
    description: 'Sends the deliveries of a time range again. It goes on by itself to its end.',
  })
  @ApiStoredResponse({
    type: StartedReplayBody,
    description: 'With Idempotent-Replay: the first response to the key.',
  })
  async replayRange(
    @CallOf() { caller, key }: Call,
    @Param('id') id: string,
    @Body() body: StartReplayBody,
  ): Promise<StartedReplayBody> {
    return createOnce(key, presentStartedRedelivery, (call) =>
      this.startRedelivery.execute(caller, id, toStartRedeliveryInput(body), call),
    );
  }

  @Get('replays/:replayId')
  @ApiOperation({
    operationId: 'webhooks.getReplay',
    summary: 'Get a replay',
    description: 'How far the replay of a range has come.',
  })
  @ApiParam(REPLAY_ID)
  @ApiOkResponse({ type: ReplayBody })
  findReplay(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Param('replayId') replayId: string,
  ): Promise<RedeliveryProgress> {
    return this.readDeliveries.findRedelivery(caller, id, numericId(replayId, 'replayId'));
  }

  @Post('test')
  @HttpCode(200)
  @ApiBody({ type: SendTestEventBody, required: false })
  @ApiOperation({
    operationId: 'webhooks.sendTest',
    summary: 'Send a test event',
    description: 'Sends an example event to this endpoint alone, with `data.test` true.',
  })
  @ApiOkResponse({ type: SentTestEventBody })
  async test(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() { type }: SendTestEventBody,
  ): Promise<SentTestEventBody> {
    return { success: true, ...(await this.sendTestEvent.execute(caller, id, type ?? undefined)) };
  }
}
