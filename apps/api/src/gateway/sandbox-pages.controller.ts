import { IdentityReader } from '@counterfoil/identity';
import { AppError } from '@counterfoil/kernel';
import {
  type PaymentPageRow,
  type PaymentProvider,
  PaymentProviders,
  PaymentsReader,
  PayPage,
} from '@counterfoil/payments';
import { Body, Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../http/requires.decorator';
import { PaidPageBody } from './gateway.answers';
import { PayPageBody } from './gateway.dto';
import { paidPage } from './gateway.presenter';
import { SANDBOX_PAGE_HEADERS, sandboxPage } from './sandbox-page';

const SANDBOX = 'sandbox';
const PAGE_KEY = { name: 'key', schema: { type: 'string' }, description: 'Who knows it may pay.' } as const;

/** The pages on which the sandbox has payers pay. A real provider has its own, elsewhere. */
@ApiTags('Gateway')
@Controller('gateway/sandbox/pages')
@Public()
export class SandboxPagesController {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly reader: PaymentsReader,
    private readonly identity: IdentityReader,
    private readonly payPage: PayPage,
  ) {}

  @Get(':key')
  @RouteConfig({ opensByPath: true })
  @ApiOperation({ summary: "The sandbox's payment page, for a payer. No money moves", security: [] })
  @ApiParam(PAGE_KEY)
  @ApiOkResponse({ content: { 'text/html': { schema: { type: 'string' } } } })
  async show(@Param('key') key: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const { page, provider } = await this.find(key);
    const company = await this.identity.company(page.companyId);
    if (!company) throw noSuchPage();
    const { description, amount, currency, status } = page;
    const { testTokens } = provider;
    void reply.headers(SANDBOX_PAGE_HEADERS);
    return sandboxPage({ companyName: company.name, description, amount, currency, status, testTokens });
  }

  @Post(':key/pay')
  @HttpCode(200)
  @RouteConfig({ opensByPath: true })
  @ApiOperation({ summary: "Pay on the sandbox's payment page with a test card", security: [] })
  @ApiParam(PAGE_KEY)
  @ApiOkResponse({ type: PaidPageBody })
  async pay(
    @Param('key') key: string,
    @Body() { providerToken }: PayPageBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PaidPageBody> {
    await this.find(key);
    void reply.header('cache-control', 'no-store');
    return paidPage(await this.payPage.execute(key, providerToken));
  }

  private async find(key: string): Promise<{ page: PaymentPageRow; provider: PaymentProvider }> {
    const provider = this.providers.find(SANDBOX);
    const page = provider && (await this.reader.paymentPage(key));
    if (page?.provider !== SANDBOX || !provider) throw noSuchPage();
    return { page, provider };
  }
}

function noSuchPage(): AppError {
  return new AppError('NOT_FOUND', 'no such payment page');
}
