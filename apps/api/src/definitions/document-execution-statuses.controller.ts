import { CreateDocumentExecutionStatus, DefinitionReader } from '@counterfoil/definitions';
import type { Caller } from '@counterfoil/kernel';
import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiPageOf } from '../http/answers';
import { CallerOf } from '../http/caller.decorator';
import { Requires } from '../http/requires.decorator';
import { WHOLE_SET, wholeSetAnswer } from '../http/whole-set';
import { CreatedDocumentExecutionStatusBody, DocumentExecutionStatusBody } from './definitions.answers';
import { CreateDocumentExecutionStatusBody } from './definitions.dto';
import { executionStatusRow } from './definitions.presenter';

@ApiTags('Definitions')
@Controller('document-execution-statuses')
export class DocumentExecutionStatusesController {
  constructor(
    private readonly reader: DefinitionReader,
    private readonly createStatus: CreateDocumentExecutionStatus,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({ summary: 'All execution statuses of documents, oldest first', description: WHOLE_SET })
  @ApiPageOf(DocumentExecutionStatusBody)
  list(@CallerOf() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    return wholeSetAnswer(this.reader.executionStatuses(caller.companyId), executionStatusRow, reply);
  }

  @Post()
  @Requires('write')
  @ApiOperation({ summary: 'Define an execution status of documents' })
  @ApiCreatedResponse({ type: CreatedDocumentExecutionStatusBody })
  async create(
    @CallerOf() caller: Caller,
    @Body() { name, color = null }: CreateDocumentExecutionStatusBody,
  ): Promise<CreatedDocumentExecutionStatusBody> {
    const documentExecutionStatusId = await this.createStatus.execute(caller, { name, color });
    return { success: true, documentExecutionStatusId };
  }
}
