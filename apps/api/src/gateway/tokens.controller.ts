import type { Caller } from '@counterfoil/kernel';
import { type Page, unpagedList } from '@counterfoil/pagination';
import {
  AttachPaymentMethod,
  DetachPaymentMethod,
  PaymentProviders,
  PaymentsReader,
} from '@counterfoil/payments';
import { Body, Controller, Delete, Get, Param, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiWholeListOf, SUCCESS, SuccessBody } from '../http/answers';
import { ApiErrors } from '../http/error-body';
import { ApiStoredResponse, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import { numericId } from '../http/path-id';
import { CallerOf, Requires } from '../http/route.decorators';
import { UNPAGED, answerUnpaged } from '../http/unpaged-list';
import { identifiedKey } from './charge-key';
import {
  AttachedTokenBody,
  AttachTokenBody,
  presentAttachedToken,
  presentProvider,
  presentToken,
  ProviderBody,
  TokenBody,
} from './tokens.schemas';

/** Payment providers and saved cards (contract §14.2). */
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
  @ApiOperation({
    operationId: 'gateway.listProviders',
    summary: 'List payment providers',
    description: `The payment providers of this installation. ${UNPAGED}`,
  })
  @ApiWholeListOf(ProviderBody)
  listProviders(): Page<ProviderBody> {
    return unpagedList(this.providers.all().map(presentProvider));
  }

  @Get('tokens')
  @Requires('read')
  @ApiOperation({
    operationId: 'cards.list',
    summary: 'List saved cards',
    description: `Oldest first. ${UNPAGED}`,
  })
  @ApiWholeListOf(TokenBody)
  list(@CallerOf() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    return answerUnpaged(this.reader.savedCards(caller.companyId), presentToken, reply);
  }

  @Post('tokens')
  @Requires('write')
  @Idempotent(null)
  @ApiErrors('UNKNOWN_REFERENCE')
  @ApiOperation({
    operationId: 'cards.attach',
    summary: 'Save a card',
    description:
      'Saves a card by the token that its provider gave for it. A value that looks like the number of a card is refused in every field, and neither stored nor logged.',
  })
  @ApiCreatedResponse({ type: AttachedTokenBody })
  @ApiStoredResponse({ type: AttachedTokenBody })
  async attach(@CallOf() { caller, key }: Call, @Body() body: AttachTokenBody): Promise<AttachedTokenBody> {
    const { provider, providerToken, entityId } = body;
    const input = { provider, providerToken, entityId: entityId ?? null };
    const identified = identifiedKey(key, 'tokens.attach', body);
    return createOnce(identified, presentAttachedToken, (call) =>
      this.attachMethod.execute(caller, input, call),
    );
  }

  @Delete('tokens/:id')
  @Requires('write')
  @ApiOperation({
    operationId: 'cards.detach',
    summary: 'Remove a saved card',
    description:
      'It is charged no more, and its recurring payments end. Charges that were made with it stay, and can be captured, canceled and refunded.',
  })
  @ApiParam({ name: 'id', schema: { type: 'integer' } })
  @ApiOkResponse({ type: SuccessBody })
  async detach(@CallerOf() caller: Caller, @Param('id') id: string): Promise<SuccessBody> {
    await this.detachMethod.execute(caller, numericId(id));
    return SUCCESS;
  }
}
