import { ExchangeRates, SaveExchangeRates } from '@counterfoil/expenses';
import type { Caller } from '@counterfoil/kernel';
import type { PageRequest } from '@counterfoil/pagination';
import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiPageOf } from '../http/answers';
import { ApiPaginated, PageQuery } from '../http/query-fields';
import { CallerOf, Requires } from '../http/route.decorators';
import {
  ListRatesQuery,
  presentRate,
  RateBody,
  SavedRatesBody,
  SaveRatesBody,
  toSaveRatesInput,
} from './exchange-rates.schemas';

/** Exchange rates (contract §11.9). */
@ApiTags('Exchange rates')
@Controller('exchange-rates')
export class ExchangeRatesController {
  constructor(
    private readonly rates: ExchangeRates,
    private readonly saveExchangeRates: SaveExchangeRates,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({
    operationId: 'exchangeRates.list',
    summary: 'List exchange rates',
    description: "The company's own rates and the published ones, newest day first, then by currency.",
  })
  @ApiPaginated()
  @ApiPageOf(RateBody)
  async list(@CallerOf() caller: Caller, @Query() filter: ListRatesQuery, @PageQuery() page: PageRequest) {
    const { data, pagination } = await this.rates.list(caller.companyId, filter, page);
    return { data: data.map(presentRate), pagination };
  }

  @Put()
  @Requires('set-rates')
  @ApiOperation({
    operationId: 'exchangeRates.save',
    summary: 'Save exchange rates',
    description: "Saves the company's own rates. Expenses that lacked a rate are converted.",
  })
  @ApiOkResponse({ type: SavedRatesBody })
  async save(@CallerOf() caller: Caller, @Body() body: SaveRatesBody): Promise<SavedRatesBody> {
    const { added, revised } = await this.saveExchangeRates.execute(caller, toSaveRatesInput(body));
    return { success: true, saved: body.rates.length, new: added, revised };
  }
}
