import { Readable } from 'node:stream';
import type { Caller } from '@counterfoil/kernel';
import { EventStreams, SendTestEvent } from '@counterfoil/webhooks';
import { Body, Controller, Get, Headers, HttpCode, Post, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiErrors } from '../http/error-body';
import { letGoOfSlowReader, type Pace } from '../http/pace';
import { CallerOf, Requires, routeConfig } from '../http/route.decorators';
import { KeyWatch } from './key-watch';
import { ServerSentEvents } from './server-sent-events';
import { STREAM, TriggerEventBody, TriggeredEventBody } from './webhook-stream.schemas';

/** A slow client gets its events later; only one that reads nothing is disconnected. */
const STREAM_PACE: Pace = { windowMs: 30_000, bytesMin: 1 };

/** The events of a company without an endpoint, and test events (contract §15.15, §15.16). */
@ApiTags('Webhooks')
@Controller(['webhooks', 'gateway/webhooks'])
@Requires('administer')
export class WebhookStreamController {
  constructor(
    private readonly streams: EventStreams,
    private readonly sendTestEvent: SendTestEvent,
    private readonly keys: KeyWatch,
  ) {}

  @Get('stream')
  @routeConfig({ boundsItself: true })
  @ApiErrors('INVALID_CURSOR')
  @ApiOperation({
    operationId: 'webhooks.stream',
    summary: 'Stream events',
    description:
      'Sends the events of the company over this connection, signed as to an endpoint. A client that reconnects with the last id that it got misses none.',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description:
      'The id of the last message that was received; without it, the stream starts with the next event.',
    schema: { type: 'string' },
  })
  @ApiOkResponse(STREAM)
  async stream(
    @CallerOf() caller: Caller,
    @Headers('last-event-id') cursor: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    if (reply.request.method === 'HEAD') return answer(reply, Readable.from([]));
    const client = new ServerSentEvents();
    const leave = await this.streams.open(caller, cursor, client);
    const unwatch = this.keys.watch(caller, () => client.end());
    client.once('close', () => {
      leave();
      unwatch();
    });
    letGoOfSlowReader(client, reply, STREAM_PACE);
    return answer(reply, client);
  }

  @Post('trigger')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'webhooks.trigger',
    summary: 'Trigger a test event',
    description:
      'Sends the example of an event type like a real event, with `data.test` true. Nothing else is created.',
  })
  @ApiOkResponse({ type: TriggeredEventBody })
  async trigger(
    @CallerOf() caller: Caller,
    @Body() { type, target }: TriggerEventBody,
  ): Promise<TriggeredEventBody> {
    return { success: true, eventId: await this.sendTestEvent.trigger(caller, type, target ?? 'all') };
  }
}

/** nginx would hold back an answer that it buffers. */
function answer(reply: FastifyReply, content: Readable): Readable {
  void reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no');
  return content;
}
