import { ReadPricelist, ReplacePricelist } from '@counterfoil/catalog';
import type { Caller } from '@counterfoil/kernel';
import { Body, Controller, Get, Param, Put, Query, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiExtension,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { LIST } from '../http/answers';
import { ApiErrors, ErrorBody } from '../http/error-body';
import { TakesJson } from '../http/json-limits';
import { VISIBLE_ID, visibleIdOr404 } from '../http/path-id';
import { CallerOf, Requires, routeConfig } from '../http/route.decorators';
import { answerList, UNPAGED } from '../http/unpaged-list';
import {
  presentQuote,
  PRICELIST_FIELDS,
  PRICELIST_SHAPE,
  PricelistBody,
  QuoteBody,
  QuoteQuery,
  ReadPricelistQuery,
  ReplacedPricelistBody,
  ReplacePricelistBody,
  toReplacePricelistInput,
} from './pricelists.schemas';

/** Enough for the largest pricelist (contract §3.5). */
const PRICELIST_LIMITS = { bytesMax: 5 * 1024 * 1024, valuesMax: 600_000 };

/** The prices of products from a vendor (contract §6.4, §6.5). */
@ApiTags('Vendors')
@Controller('vendors')
export class PricelistsController {
  constructor(
    private readonly readPricelist: ReadPricelist,
    private readonly replacePricelist: ReplacePricelist,
  ) {}

  @Get('id/:visibleId/pricelist')
  @Requires('read')
  @ApiOperation({
    operationId: 'pricelists.get',
    summary: 'Get a pricelist',
    description: `The whole pricelist of a vendor, less the products that are not active. ${UNPAGED}`,
  })
  @ApiParam(VISIBLE_ID)
  @ApiExtension(LIST, 'whole')
  @ApiOkResponse({ type: PricelistBody })
  async read(
    @CallerOf() caller: Caller,
    @Param('visibleId') text: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const visibleId = visibleIdOr404(text, 'vendor');
    return answerList(await this.readPricelist.listEntries(caller, { visibleId }), PRICELIST_SHAPE, reply);
  }

  @Get('pricelist')
  @Requires('read')
  @ApiOperation({
    operationId: 'pricelists.getByEntityId',
    summary: 'Get by numeric id',
    description: `The whole pricelist of a vendor, by the vendor's numeric id. ${UNPAGED}`,
  })
  @ApiExtension(LIST, 'whole')
  @ApiOkResponse({ type: PricelistBody })
  @ApiNotFoundResponse({ type: ErrorBody, description: 'There is no such vendor' })
  async readByEntityId(
    @CallerOf() caller: Caller,
    @Query() { entityId }: ReadPricelistQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerList(await this.readPricelist.listEntries(caller, { id: entityId }), PRICELIST_SHAPE, reply);
  }

  @Put('id/:visibleId/pricelist')
  @Requires('write')
  @TakesJson(PRICELIST_LIMITS)
  @routeConfig({ bodyFields: PRICELIST_FIELDS })
  @ApiErrors('INVALID_PRICELIST')
  @ApiOperation({
    operationId: 'pricelists.replace',
    summary: 'Replace a pricelist',
    description:
      'Replaces the whole pricelist of a vendor. If one entry is refused, the list stays as it was.',
  })
  @ApiParam(VISIBLE_ID)
  @ApiBody({ type: ReplacePricelistBody })
  @ApiOkResponse({ type: ReplacedPricelistBody })
  async replace(
    @CallerOf() caller: Caller,
    @Param('visibleId') text: string,
    @Body() body: Record<string, unknown> | undefined,
  ): Promise<ReplacedPricelistBody> {
    const visibleId = visibleIdOr404(text, 'vendor');
    const entries = toReplacePricelistInput(body);
    return { success: true, entries: await this.replacePricelist.execute(caller, visibleId, entries) };
  }

  @Get('id/:visibleId/pricelist/quote')
  @Requires('read')
  @ApiOperation({
    operationId: 'pricelists.quote',
    summary: 'Quote a price',
    description: 'What a quantity of a product costs from a vendor, and which rule of the pricelist says so.',
  })
  @ApiParam(VISIBLE_ID)
  @ApiOkResponse({ type: QuoteBody })
  async quote(
    @CallerOf() caller: Caller,
    @Param('visibleId') text: string,
    @Query() { productId, quantity }: QuoteQuery,
  ): Promise<QuoteBody> {
    const visibleId = visibleIdOr404(text, 'vendor');
    const line = { productId, quantity: Number(quantity) };
    return presentQuote(await this.readPricelist.quote(caller, { visibleId }, line));
  }
}
