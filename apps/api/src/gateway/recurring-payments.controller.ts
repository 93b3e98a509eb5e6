import type { Caller } from '@counterfoil/kernel';
import { type Page, pageOfUncounted, type PageRequest } from '@counterfoil/pagination';
import { CreateRecurringPayment, EndRecurringPayment, PaymentsReader } from '@counterfoil/payments';
import { Body, Controller, Delete, Get, Param, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiPageOf, SUCCESS, SuccessBody } from '../http/answers';
import { CallerOf } from '../http/caller.decorator';
import { IdempotencyKeyOf, noteReplay, replayHeader } from '../http/idempotency-key.decorator';
import { ApiPaginated, PageQuery } from '../http/page.decorator';
import { numericId } from '../http/path-id';
import { Requires } from '../http/requires.decorator';
import { ApiRepeatable, retryKeyOf } from './charge-key';
import { CreatedRecurringPaymentBody, RecurringPaymentBody } from './gateway.answers';
import { CreateRecurringPaymentBody } from './gateway.dto';
import { askedRecurringPayment, recurringPaymentRow } from './gateway.presenter';
import { UNCOUNTED } from './uncounted';

@ApiTags('Gateway')
@Controller('gateway/recurring-payments')
export class RecurringPaymentsController {
  constructor(
    private readonly reader: PaymentsReader,
    private readonly createPayment: CreateRecurringPayment,
    private readonly endPayment: EndRecurringPayment,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({
    summary: 'List recurring payments that have not ended, the newest first',
    description: UNCOUNTED,
  })
  @ApiPaginated()
  @ApiPageOf(RecurringPaymentBody)
  async list(
    @CallerOf() caller: Caller,
    @PageQuery() page: PageRequest,
  ): Promise<Page<RecurringPaymentBody>> {
    const rows = await this.reader.recurringPayments(caller.companyId, page);
    return pageOfUncounted(rows.map(recurringPaymentRow), page);
  }

  @Post()
  @ApiRepeatable('Kept as long as the recurring payment.')
  @ApiOperation({
    summary: 'Have a saved card charged every week, month or year',
    description: 'Once for each of its days. A card that is declined is charged again on the next day alone.',
  })
  @ApiCreatedResponse({ type: CreatedRecurringPaymentBody })
  @ApiOkResponse({
    type: CreatedRecurringPaymentBody,
    description: 'A repeated call.',
    headers: replayHeader('nothing was begun now. A call with the same key was made before.'),
  })
  async create(
    @CallerOf() caller: Caller,
    @IdempotencyKeyOf() key: string | null,
    @Body() body: CreateRecurringPaymentBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedRecurringPaymentBody> {
    const retryKey = retryKeyOf(key, '/gateway/recurring-payments', body);
    const { id, replayed } = await this.createPayment.execute(caller, askedRecurringPayment(body), retryKey);
    noteReplay(replayed, reply);
    return { success: true, recurringPaymentId: id };
  }

  /** Whoever can have a card charged must be able to stop it. */
  @Delete(':id')
  @Requires('write')
  @ApiOperation({ summary: 'End a recurring payment: it charges nothing more. What it has charged stays' })
  @ApiParam({ name: 'id', schema: { type: 'integer' } })
  @ApiOkResponse({ type: SuccessBody })
  async end(@CallerOf() caller: Caller, @Param('id') id: string): Promise<SuccessBody> {
    await this.endPayment.execute(caller, numericId(id));
    return SUCCESS;
  }
}
