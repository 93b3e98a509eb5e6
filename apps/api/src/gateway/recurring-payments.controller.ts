import type { Caller } from '@counterfoil/kernel';
import { type Page, pageOfUncounted, type PageRequest } from '@counterfoil/pagination';
import { CreateRecurringPayment, EndRecurringPayment, PaymentsReader } from '@counterfoil/payments';
import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ApiPageOf, SUCCESS, SuccessBody } from '../http/answers';
import { ApiStoredResponse, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import { numericId } from '../http/path-id';
import { ApiPaginated, PageQuery } from '../http/query-fields';
import { CallerOf, Requires } from '../http/route.decorators';
import { identifiedKey } from './charge-key';
import {
  CreatedRecurringPaymentBody,
  CreateRecurringPaymentBody,
  presentCreatedRecurringPayment,
  presentRecurringPayment,
  RecurringPaymentBody,
  toCreateRecurringPaymentInput,
} from './recurring-payments.schemas';
import { UNCOUNTED_PAGE } from './uncounted-page';

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
    description: UNCOUNTED_PAGE,
  })
  @ApiPaginated()
  @ApiPageOf(RecurringPaymentBody)
  async list(
    @CallerOf() caller: Caller,
    @PageQuery() page: PageRequest,
  ): Promise<Page<RecurringPaymentBody>> {
    const rows = await this.reader.recurringPayments(caller.companyId, page);
    return pageOfUncounted(rows.map(presentRecurringPayment), page);
  }

  @Post()
  @Requires('write')
  @Idempotent(null)
  @ApiOperation({
    summary: 'Have a saved card charged every week, month or year',
    description: 'Once for each of its days. A card that is declined is charged again on the next day alone.',
  })
  @ApiCreatedResponse({ type: CreatedRecurringPaymentBody })
  @ApiStoredResponse({ type: CreatedRecurringPaymentBody })
  create(
    @CallOf() { caller, key }: Call,
    @Body() body: CreateRecurringPaymentBody,
  ): Promise<CreatedRecurringPaymentBody> {
    const identified = identifiedKey(key, '/gateway/recurring-payments', body);
    return createOnce(identified, presentCreatedRecurringPayment, (call) =>
      this.createPayment.execute(caller, toCreateRecurringPaymentInput(body), call),
    );
  }

  /** Requires only `write`, because a key that can start charges must also be able to stop them. */
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
