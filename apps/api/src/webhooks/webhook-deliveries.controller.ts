import { type Caller, parseTimestamp } from '@counterfoil/kernel';
import type { Page, PageRequest } from '@counterfoil/pagination';
import {
  type DeliveryFilter,
  type DeliveryView,
  type DeliveryWithEvent,
  ReadDeliveries,
  ReplayDelivery,
  type ReplayProgress,
  SendTestEvent,
  StartReplay,
} from '@counterfoil/webhooks';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ApiPageOf, SUCCESS, SuccessBody } from '../http/answers';
import { CallerOf } from '../http/caller.decorator';
import { ApiPaginated, PageQuery } from '../http/page.decorator';
import { numericId } from '../http/path-id';
import { Requires } from '../http/requires.decorator';
import {
  DeliveryBody,
  DeliveryWithEventBody,
  ReplayBody,
  SentTestEventBody,
  StartedReplayBody,
} from './webhooks.answers';
import { ListDeliveriesQuery, SendTestEventBody, StartReplayBody } from './webhooks.dto';

const DELIVERY_ID = { name: 'deliveryId', schema: { type: 'integer' } } as const;
const REPLAY_ID = { name: 'replayId', schema: { type: 'integer' } } as const;

/** What was sent to an endpoint, what came of it, and sending it again (decisions §10). */
@ApiTags('Webhooks')
@Controller(['webhooks/:id', 'gateway/webhooks/:id'])
@Requires('administer')
export class WebhookDeliveriesController {
  constructor(
    private readonly readDeliveries: ReadDeliveries,
    private readonly replayDelivery: ReplayDelivery,
    private readonly startReplay: StartReplay,
    private readonly sendTestEvent: SendTestEvent,
  ) {}

  @Get('deliveries')
  @ApiOperation({ summary: 'List deliveries with their attempts, the latest first' })
  @ApiPaginated()
  @ApiPageOf(DeliveryBody)
  list(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Query() query: ListDeliveriesQuery,
    @PageQuery() page: PageRequest,
  ): Promise<Page<DeliveryView>> {
    return this.readDeliveries.list(caller, id, { filter: filterOf(query), page });
  }

  @Get('deliveries/:deliveryId')
  @ApiOperation({ summary: 'Read a delivery, with the exact body that is sent' })
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
  @ApiOperation({ summary: 'Send a delivery again now, whatever became of it' })
  @ApiParam(DELIVERY_ID)
  @ApiOkResponse({ type: SuccessBody })
  async replay(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<SuccessBody> {
    await this.replayDelivery.execute(caller, id, numericId(deliveryId, 'deliveryId'));
    return SUCCESS;
  }

  @Post('replay')
  @HttpCode(200)
  @ApiOperation({ summary: 'Send a range of deliveries again; it goes on by itself to its end' })
  @ApiOkResponse({ type: StartedReplayBody })
  async replayRange(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() { since, until, state }: StartReplayBody,
  ): Promise<StartedReplayBody> {
    const range = { since: parseTimestamp(since) ?? new Date(0), until: instantOf(until), state };
    return { success: true, replayId: await this.startReplay.execute(caller, id, range) };
  }

  @Get('replays/:replayId')
  @ApiOperation({ summary: 'See how far a replay has come' })
  @ApiParam(REPLAY_ID)
  @ApiOkResponse({ type: ReplayBody })
  findReplay(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Param('replayId') replayId: string,
  ): Promise<ReplayProgress> {
    return this.readDeliveries.replay(caller, id, numericId(replayId, 'replayId'));
  }

  @Post('test')
  @HttpCode(200)
  @ApiBody({ type: SendTestEventBody, required: false })
  @ApiOperation({ summary: 'Send an example event to this endpoint alone, with data.test true' })
  @ApiOkResponse({ type: SentTestEventBody })
  async test(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() { type }: SendTestEventBody,
  ): Promise<SentTestEventBody> {
    return { success: true, ...(await this.sendTestEvent.execute(caller, id, type)) };
  }
}

function filterOf({ since, until, ...others }: ListDeliveriesQuery): DeliveryFilter {
  return { ...others, since: instantOf(since), until: instantOf(until) };
}

/** A timestamp that its field has let pass, or none. */
function instantOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : (parseTimestamp(text) ?? undefined);
}
