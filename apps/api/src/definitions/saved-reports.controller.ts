import { CreateSavedReport, DefinitionReader, type SavedReportDetails } from '@counterfoil/definitions';
import type { Caller } from '@counterfoil/kernel';
import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiPageOf } from '../http/answers';
import { CallerOf } from '../http/caller.decorator';
import { Requires } from '../http/requires.decorator';
import { WHOLE_SET, wholeSetAnswer } from '../http/whole-set';
import { CreatedSavedReportBody, SavedReportBody } from './definitions.answers';
import { CreateSavedReportBody } from './definitions.dto';
import { savedReportRow } from './definitions.presenter';
import { SavedReportPipe } from './saved-report.pipe';

@ApiTags('Definitions')
@Controller('reports/documents/saved')
export class SavedReportsController {
  constructor(
    private readonly reader: DefinitionReader,
    private readonly createSavedReport: CreateSavedReport,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({ summary: 'All saved reports on documents, oldest first', description: WHOLE_SET })
  @ApiPageOf(SavedReportBody)
  list(@CallerOf() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    return wholeSetAnswer(this.reader.savedReports(caller.companyId), savedReportRow, reply);
  }

  @Post()
  @Requires('write')
  @ApiOperation({ summary: 'Save a report on documents: its name and its filters' })
  @ApiBody({ type: CreateSavedReportBody })
  @ApiCreatedResponse({ type: CreatedSavedReportBody })
  async create(
    @CallerOf() caller: Caller,
    @Body(new SavedReportPipe()) report: SavedReportDetails,
  ): Promise<CreatedSavedReportBody> {
    return { success: true, savedReportId: await this.createSavedReport.execute(caller, report) };
  }
}
