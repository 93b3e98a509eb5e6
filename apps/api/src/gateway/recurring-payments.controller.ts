import type { Caller } from '@counterfoil/kernel';
import { type Page, pageOfUncounted, type PageRequest } from '@counterfoil/pagination';
import { CreateRecurringPayment, EndRecurringPayment, PaymentsReader } from '@counterfoil/payments';
import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ApiUncountedPageOf, SUCCESS, SuccessBody } from '../http/answers';
import { ApiErrors } from '../http/error-body';
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
    operationId: 'recurringPayments.list',
    summary: 'List recurring payments',
    description: `Those that have not ended, the newest first. ${UNCOUNTED_PAGE}`,
  })
  @ApiPaginated()
  @ApiUncountedPageOf(RecurringPaymentBody)
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
  @ApiErrors('UNKNOWN_REFERENCE', 'INVALID_STATE')
  @ApiOperation({
    operationId: 'recurringPayments.create',
    summary: 'Create a recurring payment',
    description:
      'Has a saved card charged every week, month or year, once for each of its days. A card that is declined is charged again on the next day alone.',
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
  @ApiOperation({
    operationId: 'recurringPayments.end',
    summary: 'End a recurring payment',
    description: 'It charges nothing more. What it has charged stays.',
  })
  @ApiParam({ name: 'id', schema: { type: 'integer' } })
  @ApiOkResponse({ type: SuccessBody })
  async end(@CallerOf() caller: Caller, @Param('id') id: string): Promise<SuccessBody> {
    await this.endPayment.execute(caller, numericId(id));
    return SUCCESS;
  }
}
