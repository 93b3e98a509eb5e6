import { Sql } from '@counterfoil/database';
import { outsideRequests, RequestCoalescer, UnavailableError } from '@counterfoil/kernel';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Drain } from '../http/drain';
import { Public, routeConfig } from '../http/route.decorators';

const RETRY_AFTER_SECONDS = 1;
const PING_PATIENCE_MS = 1_000;

export class HealthBody {
  @ApiProperty({ enum: ['ok'] })
  readonly status!: 'ok';
}

@ApiTags('Health')
@Controller('health')
@Public()
@routeConfig({ isProbe: true })
export class HealthController {
  /** Concurrent probes share one statement. */
  private readonly pings = new RequestCoalescer<null, null>(async (callers) => {
    await outsideRequests(() => this.sql.ping());
    return callers;
  }, PING_PATIENCE_MS);

  constructor(
    private readonly sql: Sql,
    private readonly drain: Drain,
  ) {}

  @Get('live')
  @ApiOperation({
    operationId: 'health.live',
    summary: 'Check that it runs',
    description: 'Answers while the process runs, whatever the state of the database.',
    security: [],
  })
  @ApiOkResponse({ type: HealthBody })
  live(): HealthBody {
    return { status: 'ok' };
  }

  /** Does not check the queue: without it, the API still accepts writes and loses nothing. */
  @Get('ready')
  @ApiOperation({
    operationId: 'health.ready',
    summary: 'Check that it serves',
    description:
      'Whether requests can be served: 503 while the database is unavailable or the process is stopping.',
    security: [],
  })
  @ApiOkResponse({ type: HealthBody })
  async ready(): Promise<HealthBody> {
    if (this.drain.isUnderWay) {
      const message = 'this process is stopping: send requests to another one, or retry later';
      throw new UnavailableError('stopping', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    // Uses a connection that is reserved for this, so that a busy service still counts as ready.
    await this.pings.submit(null);
    return { status: 'ok' };
  }
}
