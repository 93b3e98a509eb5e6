import { CreateDocumentExecutionStatus, DefinitionReader } from '@counterfoil/definitions';
import type { Caller } from '@counterfoil/kernel';
import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiWholeListOf } from '../http/answers';
import { ApiStoredResponse, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import { CallerOf, Requires } from '../http/route.decorators';
import { UNPAGED, answerUnpaged } from '../http/unpaged-list';
import {
  CreatedDocumentExecutionStatusBody,
  CreateDocumentExecutionStatusBody,
  DocumentExecutionStatusBody,
  presentCreatedExecutionStatus,
  presentExecutionStatus,
} from './document-execution-statuses.schemas';

@ApiTags('Definitions')
@Controller('document-execution-statuses')
export class DocumentExecutionStatusesController {
  constructor(
    private readonly reader: DefinitionReader,
    private readonly createStatus: CreateDocumentExecutionStatus,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({
    operationId: 'documentExecutionStatuses.list',
    summary: 'List execution statuses',
    description: `The execution statuses of documents, oldest first. ${UNPAGED}`,
  })
  @ApiWholeListOf(DocumentExecutionStatusBody)
  list(@CallerOf() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    return answerUnpaged(this.reader.executionStatuses(caller.companyId), presentExecutionStatus, reply);
  }

  @Post()
  @Requires('write')
  @Idempotent('document-execution-statuses.create')
  @ApiOperation({
    operationId: 'documentExecutionStatuses.create',
    summary: 'Create an execution status',
    description: 'Defines an execution status of documents by its name and its color.',
  })
  @ApiCreatedResponse({ type: CreatedDocumentExecutionStatusBody })
  @ApiStoredResponse({ type: CreatedDocumentExecutionStatusBody })
  async create(
    @CallOf() { caller, key }: Call,
    @Body() { name, color = null }: CreateDocumentExecutionStatusBody,
  ): Promise<CreatedDocumentExecutionStatusBody> {
    return createOnce(key, presentCreatedExecutionStatus, (call) =>
      this.createStatus.execute(caller, { name, color }, call),
    );
  }
}
