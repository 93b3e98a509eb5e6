import { CreateRetainer, EndRetainer, RetainerReader } from '@counterfoil/documents';
import type { Caller } from '@counterfoil/kernel';
import { Body, Controller, Delete, Get, Param, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiWholeListOf, SUCCESS, SuccessBody } from '../http/answers';
import { ApiErrors } from '../http/error-body';
import { ApiStoredResponse, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import { numericId } from '../http/path-id';
import { CallerOf, Requires } from '../http/route.decorators';
import { UNPAGED, answerUnpaged } from '../http/unpaged-list';
import {
  CreatedRetainerBody,
  CreateRetainerBody,
  presentCreatedRetainer,
  presentRetainer,
  RetainerBody,
  toCreateRetainerInput,
} from './retainers.schemas';

/** Retainers (contract §8.14). */
@ApiTags('Retainers')
@Controller('retainers')
export class RetainersController {
  constructor(
    private readonly reader: RetainerReader,
    private readonly createRetainer: CreateRetainer,
    private readonly endRetainer: EndRetainer,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({
    operationId: 'retainers.list',
    summary: 'List retainers',
    description: `The retainers that have not ended, oldest first. ${UNPAGED}`,
  })
  @ApiWholeListOf(RetainerBody)
  list(@CallerOf() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    return answerUnpaged(this.reader.list(caller.companyId), presentRetainer, reply);
  }

  @Post('create')
  @Requires('write')
  @Idempotent('retainers.create')
  @ApiErrors('UNKNOWN_REFERENCE', 'INVALID_STATE', 'LIMIT_REACHED')
  @ApiOperation({
    operationId: 'retainers.create',
    summary: 'Create a retainer',
    description:
      'Has a document issued every week, month or year. Each due document is issued exactly once, and dated with the day on which it was due. What its first document would be refused for, this is refused for. With `send`, each document is mailed once to each recipient; without a mail server this is `INVALID_STATE`.',
  })
  @ApiCreatedResponse({ type: CreatedRetainerBody })
  @ApiStoredResponse({ type: CreatedRetainerBody })
  async create(
    @CallOf() { caller, key }: Call,
    @Body() body: CreateRetainerBody,
  ): Promise<CreatedRetainerBody> {
    return createOnce(key, presentCreatedRetainer, (call) =>
      this.createRetainer.execute(caller, toCreateRetainerInput(body), call),
    );
  }

  @Delete(':id')
  @Requires('write')
  @ApiOperation({
    operationId: 'retainers.end',
    summary: 'End a retainer',
    description: 'It issues nothing more. What it has issued stays as it is.',
  })
  @ApiParam({ name: 'id', schema: { type: 'integer' } })
  @ApiOkResponse({ type: SuccessBody })
  async end(@CallerOf() caller: Caller, @Param('id') id: string): Promise<SuccessBody> {
    await this.endRetainer.execute(caller, numericId(id));
    return SUCCESS;
  }
}
