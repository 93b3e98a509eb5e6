import type { Caller } from '@counterfoil/kernel';
import { type Page, pageOfUncounted, type PageRequest } from '@counterfoil/pagination';
import { CreatePaymentPage, PaymentProviders, PaymentsReader } from '@counterfoil/payments';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiPageOf } from '../http/answers';
import { CallerOf } from '../http/caller.decorator';
import { ApiPaginated, PageQuery } from '../http/page.decorator';
import { Requires } from '../http/requires.decorator';
import { CreatedPaymentPageBody, PaymentPageBody } from './gateway.answers';
import { CreatePaymentPageBody } from './gateway.dto';
import { askedPaymentPage, paymentPageRow } from './gateway.presenter';
import { UNCOUNTED } from './uncounted';

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
  @ApiOperation({ summary: 'List payment pages, the newest first', description: UNCOUNTED })
  @ApiPaginated()
  @ApiPageOf(PaymentPageBody)
  async list(@CallerOf() caller: Caller, @PageQuery() page: PageRequest): Promise<Page<PaymentPageBody>> {
    const rows = await this.reader.paymentPages(caller.companyId, page);
    return pageOfUncounted(rows.map(paymentPageRow(this.providers)), page);
  }

  @Post()
  @Requires('write')
  @ApiOperation({ summary: 'Make a page on which somebody who has its address can pay an amount, once' })
  @ApiCreatedResponse({ type: CreatedPaymentPageBody })
  async create(
    @CallerOf() caller: Caller,
    @Body() body: CreatePaymentPageBody,
  ): Promise<CreatedPaymentPageBody> {
    const { id, url } = await this.createPage.execute(caller, askedPaymentPage(body));
    return { success: true, paymentPageId: id, url };
  }
}
