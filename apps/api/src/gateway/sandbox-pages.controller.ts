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
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiErrors } from '../http/error-body';
import { Public, routeConfig } from '../http/route.decorators';
import { SANDBOX_PAGE_HEADERS, sandboxPage } from './sandbox-page';
import { PaidPageBody, PayPageBody, presentPaidPage } from './sandbox-pages.schemas';

const SANDBOX = 'sandbox';
const PAGE_KEY = {
  name: 'key',
  schema: { type: 'string' },
  description: 'Anybody who knows it may pay.',
} as const;

/** The payment pages of the sandbox. A real provider serves its own pages. */
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
  @routeConfig({ opensByPath: true })
  @ApiOperation({
    operationId: 'sandboxPages.get',
    summary: 'Show a sandbox page',
    description: "The sandbox's payment page, for a payer. No money moves.",
    security: [],
  })
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
  @routeConfig({ boundsItself: true })
  @HttpCode(200)
  @routeConfig({ opensByPath: true })
  @ApiErrors('INVALID_STATE', 'LIMIT_REACHED')
  @ApiOperation({
    operationId: 'sandboxPages.pay',
    summary: 'Pay a sandbox page',
    description: "Pays on the sandbox's payment page with a test card.",
    security: [],
  })
  @ApiParam(PAGE_KEY)
  @ApiOkResponse({ type: PaidPageBody })
  async pay(@Param('key') key: string, @Body() { providerToken }: PayPageBody): Promise<PaidPageBody> {
    await this.find(key);
    return presentPaidPage(await this.payPage.execute(key, providerToken));
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
