import { CreateSavedReport, DefinitionReader, type SavedReportDetails } from '@counterfoil/definitions';
import type { Caller } from '@counterfoil/kernel';
import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiWholeListOf } from '../http/answers';
import { ApiStoredResponse, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import { fieldsOf } from '../http/known-fields';
import { CallerOf, Requires, routeConfig } from '../http/route.decorators';
import { answerList, UNPAGED, UNPAGED_SHAPE } from '../http/unpaged-list';
import {
  CreatedSavedReportBody,
  CreateSavedReportBody,
  presentCreatedSavedReport,
  presentSavedReport,
  SavedReportBody,
  SavedReportPipe,
} from './saved-reports.schemas';

@ApiTags('Definitions')
@Controller('reports/documents/saved')
export class SavedReportsController {
  constructor(
    private readonly reader: DefinitionReader,
    private readonly createSavedReport: CreateSavedReport,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({
    operationId: 'savedReports.list',
    summary: 'List saved reports',
    description: `The saved reports on documents, oldest first. ${UNPAGED}`,
  })
  @ApiWholeListOf(SavedReportBody)
  list(@CallerOf() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    const shape = { ...UNPAGED_SHAPE, textOf: presentSavedReport };
    return answerList(this.reader.savedReports(caller.companyId), shape, reply);
  }

  @Post()
  @Requires('write')
  @Idempotent('saved-reports.create')
  @routeConfig({ bodyFields: fieldsOf(CreateSavedReportBody) })
  @ApiOperation({
    operationId: 'savedReports.create',
    summary: 'Save a report',
    description: 'Saves a report on documents: its name and its filters.',
  })
  @ApiBody({ type: CreateSavedReportBody })
  @ApiCreatedResponse({ type: CreatedSavedReportBody })
  @ApiStoredResponse({ type: CreatedSavedReportBody })
  async create(
    @CallOf() { caller, key }: Call,
    @Body(new SavedReportPipe()) report: SavedReportDetails,
  ): Promise<CreatedSavedReportBody> {
    return createOnce(key, presentCreatedSavedReport, (call) =>
      this.createSavedReport.execute(caller, report, call),
    );
  }
}
