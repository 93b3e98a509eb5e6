import type { Caller } from '@counterfoil/kernel';
import { type Page, wholeSet } from '@counterfoil/pagination';
import {
  AttachPaymentMethod,
  DetachPaymentMethod,
  PaymentProviders,
  PaymentsReader,
} from '@counterfoil/payments';
import { Body, Controller, Delete, Get, Param, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiPageOf, SUCCESS, SuccessBody } from '../http/answers';
import { CallerOf } from '../http/caller.decorator';
import { numericId } from '../http/path-id';
import { Requires } from '../http/requires.decorator';
import { WHOLE_SET, wholeSetAnswer } from '../http/whole-set';
import { AttachedTokenBody, ProviderBody, TokenBody } from './gateway.answers';
import { AttachTokenBody } from './gateway.dto';
import { providerRow, tokenRow } from './gateway.presenter';

/** Who charges cards, and the cards that are saved (decisions §4: payment gateway). */
@ApiTags('Gateway')
@Controller('gateway')
export class TokensController {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly reader: PaymentsReader,
    private readonly attachMethod: AttachPaymentMethod,
    private readonly detachMethod: DetachPaymentMethod,
  ) {}

  @Get('providers')
  @Requires('read')
  @ApiOperation({ summary: 'The payment providers of this installation', description: WHOLE_SET })
  @ApiPageOf(ProviderBody)
  listProviders(): Page<ProviderBody> {
    return wholeSet(this.providers.all().map(providerRow));
  }

  @Get('tokens')
  @Requires('read')
  @ApiOperation({ summary: 'All saved cards, oldest first', description: WHOLE_SET })
  @ApiPageOf(TokenBody)
  list(@CallerOf() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    return wholeSetAnswer(this.reader.savedCards(caller.companyId), tokenRow, reply);
  }

  @Post('tokens')
  @Requires('write')
  @ApiOperation({
    summary: 'Save a card, by the token that its provider gave for it',
    description: 'The number of a card is refused wherever it is sent, and neither kept nor logged.',
  })
  @ApiCreatedResponse({ type: AttachedTokenBody })
  async attach(@CallerOf() caller: Caller, @Body() body: AttachTokenBody): Promise<AttachedTokenBody> {
    const { provider, providerToken, entityId } = body;
    const asked = { provider, providerToken, entityId: entityId ?? null };
    return { success: true, tokenId: await this.attachMethod.execute(caller, asked) };
  }

  @Delete('tokens/:id')
  @Requires('write')
  @ApiOperation({
    summary: 'Remove a saved card: it is charged no more, and its recurring payments end',
    description: 'What was charged with it stays, and can be captured, canceled and refunded.',
  })
  @ApiParam({ name: 'id', schema: { type: 'integer' } })
  @ApiOkResponse({ type: SuccessBody })
  async detach(@CallerOf() caller: Caller, @Param('id') id: string): Promise<SuccessBody> {
    await this.detachMethod.execute(caller, numericId(id));
    return SUCCESS;
  }
}
