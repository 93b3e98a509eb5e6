import type { Caller } from '@counterfoil/kernel';
import { type Page, pageOfUncounted, type PageRequest } from '@counterfoil/pagination';
import { CreatePaymentPage, PaymentProviders, PaymentsReader } from '@counterfoil/payments';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiUncountedPageOf } from '../http/answers';
import { ApiErrors } from '../http/error-body';
import { ApiStoredResponse, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import { ApiPaginated, PageQuery } from '../http/query-fields';
import { CallerOf, Requires } from '../http/route.decorators';
import { identifiedKey } from './charge-key';
import {
  CreatedPaymentPageBody,
  CreatePaymentPageBody,
  PaymentPageBody,
  presentCreatedPaymentPage,
  presentPaymentPage,
  toCreatePaymentPageInput,
} from './payment-pages.schemas';
import { UNCOUNTED_PAGE } from './uncounted-page';

@ApiTags('Gateway')
@Controller('gateway/payments/payment-pages')
export class PaymentPagesController {
  constructor(
    private readonly reader: PaymentsReader,
    private readonly providers: PaymentProviders,
    private readonly createPage: CreatePaymentPage,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({
    operationId: 'paymentPages.list',
    summary: 'List payment pages',
    description: `The newest first. ${UNCOUNTED_PAGE}`,
  })
  @ApiPaginated()
  @ApiUncountedPageOf(PaymentPageBody)
  async list(@CallerOf() caller: Caller, @PageQuery() page: PageRequest): Promise<Page<PaymentPageBody>> {
    const rows = await this.reader.paymentPages(caller.companyId, page);
    return pageOfUncounted(rows.map(presentPaymentPage(this.providers)), page);
  }

  @Post()
  @Requires('write')
  @Idempotent(null)
  @ApiErrors('UNKNOWN_REFERENCE', 'INVALID_STATE')
  @ApiOperation({
    operationId: 'paymentPages.create',
    summary: 'Create a payment page',
    description: 'A page on which anyone with its URL can pay an amount, once.',
  })
  @ApiCreatedResponse({ type: CreatedPaymentPageBody })
  @ApiStoredResponse({ type: CreatedPaymentPageBody })
  async create(
    @CallOf() { caller, key }: Call,
    @Body() body: CreatePaymentPageBody,
  ): Promise<CreatedPaymentPageBody> {
    const identified = identifiedKey(key, 'payment-pages.create', body);
    return createOnce(identified, presentCreatedPaymentPage, (call) =>
      this.createPage.execute(caller, toCreatePaymentPageInput(body), call),
    );
  }
}
