import { AuditLogReader } from '@counterfoil/audit-log';
import type { Caller } from '@counterfoil/kernel';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiPageOf } from '../http/answers';
import { ApiPaginated, PageQuery } from '../http/query-fields';
import { CallerOf, Requires } from '../http/route.decorators';
import { AuditEntryBody, ListAuditQuery, presentAuditEntry } from './audit.schemas';

/** The changes of the company's records (contract §17.8). */
@ApiTags('Audit')
@Controller('audit')
@Requires('administer')
export class AuditController {
  constructor(private readonly log: AuditLogReader) {}

  @Get()
  @ApiOperation({
    operationId: 'audit.list',
    summary: 'List changes',
    description:
      'Every change to the records of the company, the newest first: the actor, the record, and the changed fields before and after. A change appears within seconds. Nothing can edit or remove an entry.',
  })
  @ApiPaginated()
  @ApiPageOf(AuditEntryBody)
  async list(
    @CallerOf() caller: Caller,
    @Query() query: ListAuditQuery,
    @PageQuery() page: PageRequest,
  ): Promise<Page<AuditEntryBody>> {
    const { data, pagination } = await this.log.list(caller.companyId, query, page);
    return { data: data.map(presentAuditEntry), pagination };
  }
}
