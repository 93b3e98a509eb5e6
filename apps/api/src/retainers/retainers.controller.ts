import { CreateRetainer, EndRetainer, RetainerReader } from '@counterfoil/documents';
import type { Caller } from '@counterfoil/kernel';
import { Body, Controller, Delete, Get, Param, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiPageOf, SUCCESS, SuccessBody } from '../http/answers';
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
  @ApiOperation({ summary: 'All retainers that have not ended, oldest first', description: UNPAGED })
  @ApiPageOf(RetainerBody)
  list(@CallerOf() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    return answerUnpaged(this.reader.list(caller.companyId), presentRetainer, reply);
  }

  @Post('create')
  @Requires('write')
  @Idempotent('retainers.create')
  @ApiOperation({
    summary: 'Have a document issued every week, month or year',
    description:
      'Each due document is issued exactly once, and dated with the day on which it was due. What its first document would be refused for, this is refused for.',
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
  @ApiOperation({ summary: 'End a retainer: it issues nothing more. What it has issued stays as it is' })
  @ApiParam({ name: 'id', schema: { type: 'integer' } })
  @ApiOkResponse({ type: SuccessBody })
  async end(@CallerOf() caller: Caller, @Param('id') id: string): Promise<SuccessBody> {
    await this.endRetainer.execute(caller, numericId(id));
    return SUCCESS;
  }
}
