import { CreateRetainer, EndRetainer, RetainerReader } from '@counterfoil/documents';
import type { Caller } from '@counterfoil/kernel';
import { Body, Controller, Delete, Get, Param, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiPageOf, SUCCESS, SuccessBody } from '../http/answers';
import { CallerOf } from '../http/caller.decorator';
import { numericId } from '../http/path-id';
import { Requires } from '../http/requires.decorator';
import { WHOLE_SET, wholeSetAnswer } from '../http/whole-set';
import { CreatedRetainerBody, RetainerBody } from './retainers.answers';
import { CreateRetainerBody } from './retainers.dto';
import { askedRetainer, retainerRow } from './retainers.presenter';

/** Decisions §4: retainer. */
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
  @ApiOperation({ summary: 'All retainers that have not ended, oldest first', description: WHOLE_SET })
  @ApiPageOf(RetainerBody)
  list(@CallerOf() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    return wholeSetAnswer(this.reader.list(caller.companyId), retainerRow, reply);
  }

  @Post('create')
  @Requires('write')
  @ApiOperation({
    summary: 'Have a document issued every week, month or year',
    description:
      'Each due document is issued exactly once, and dated with the day on which it was due. What its first document would be refused for, this is refused for.',
  })
  @ApiCreatedResponse({ type: CreatedRetainerBody })
  async create(@CallerOf() caller: Caller, @Body() body: CreateRetainerBody): Promise<CreatedRetainerBody> {
    return { success: true, retainerId: await this.createRetainer.execute(caller, askedRetainer(body)) };
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
