import { Sql } from '@counterfoil/database';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Public } from '../http/requires.decorator';

export class HealthBody {
  @ApiProperty({ enum: ['ok'] })
  readonly status!: 'ok';
}

@ApiTags('Health')
@Controller('health')
@Public()
export class HealthController {
  constructor(private readonly sql: Sql) {}

  @Get('live')
  @ApiOperation({ summary: 'Whether the process runs', security: [] })
  @ApiOkResponse({ type: HealthBody })
  live(): HealthBody {
    return { status: 'ok' };
  }

  /** The queue is not asked: without it the API goes on accepting writes, and nothing is lost. */
  @Get('ready')
  @ApiOperation({ summary: 'Whether requests can be served: 503 while the database is away', security: [] })
  @ApiOkResponse({ type: HealthBody })
  async ready(): Promise<HealthBody> {
    await this.sql.rows('select 1');
    return { status: 'ok' };
  }
}
