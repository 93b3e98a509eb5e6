import type { Caller } from '@counterfoil/kernel';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { type LoggedRequest, RequestLogReader } from '@counterfoil/request-log';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiPageOf } from '../http/answers';
import { ApiPaginated, PageQuery } from '../http/query-fields';
import { CallerOf, Requires } from '../http/route.decorators';
import { ListRequestsQuery, LoggedRequestBody } from './requests.schemas';

/** The requests with keys of the company (contract §17.9). */
@ApiTags('Audit')
@Controller('requests')
@Requires('administer')
export class RequestsController {
  constructor(private readonly log: RequestLogReader) {}

  @Get()
  @ApiOperation({
    operationId: 'requests.list',
    summary: 'List requests',
    description:
      'The requests of the last 30 days with keys of the company, the newest first, without bodies and queries. A request appears within seconds.',
  })
  @ApiPaginated()
  @ApiPageOf(LoggedRequestBody)
  list(
    @CallerOf() caller: Caller,
    @Query() query: ListRequestsQuery,
    @PageQuery() page: PageRequest,
  ): Promise<Page<LoggedRequest>> {
    return this.log.list(caller.companyId, query, page);
  }
}
