import { AppError, type Caller } from '@counterfoil/kernel';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { type Begun, ChangeCharge, CreateCharge, PaymentsReader } from '@counterfoil/payments';
import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiPageOf } from '../http/answers';
import { CallerOf } from '../http/caller.decorator';
import { IdempotencyKeyOf, noteReplay, replayHeader } from '../http/idempotency-key.decorator';
import { ApiPaginated, PageQuery } from '../http/page.decorator';
import { numericId } from '../http/path-id';
import { Requires } from '../http/requires.decorator';
import { ApiRepeatable, type Change, ChangeOf, retryKeyOf } from './charge-key';
import {
  BegunChargeBody,
  BegunRefundBody,
  ChangedChargeBody,
  ChargeBody,
  ChargeRecordBody,
} from './charges.answers';
import { CaptureChargeBody, CreateChargeBody, ListChargesQuery, RefundChargeBody } from './gateway.dto';
import {
  askedCharge,
  begunCharge,
  begunRefund,
  changedCharge,
  chargeRecord,
  chargeRow,
} from './gateway.presenter';

const CHARGE_ID = { name: 'id', schema: { type: 'integer' } } as const;
const REPLAYED = 'nothing was done now. A call with the same key was made before: this is how it stands now.';
const KEPT = 'Kept as long as the charge; the keys of documents are others.';

/** Cards that are charged (decisions §4: payment gateway). */
@ApiTags('Gateway')
@Controller('gateway/charges')
export class ChargesController {
  constructor(
    private readonly reader: PaymentsReader,
    private readonly createCharge: CreateCharge,
    private readonly changeCharge: ChangeCharge,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({ summary: 'List charges, the newest first' })
  @ApiPaginated()
  @ApiPageOf(ChargeBody)
  async list(
    @CallerOf() caller: Caller,
    @Query() { status, tokenId, entityId, documentId }: ListChargesQuery,
    @PageQuery() page: PageRequest,
  ): Promise<Page<ChargeBody>> {
    const filter = { status, tokenId, entityId, documentId };
    const { data, pagination } = await this.reader.charges(caller.companyId, filter, page);
    return { data: data.map(chargeRow), pagination };
  }

  @Get(':id')
  @Requires('read')
  @ApiOperation({ summary: 'Read a charge, with all that was asked of its provider' })
  @ApiParam(CHARGE_ID)
  @ApiOkResponse({ type: ChargeRecordBody })
  async read(@CallerOf() caller: Caller, @Param('id') id: string): Promise<ChargeRecordBody> {
    const charge = await this.reader.charge(caller.companyId, numericId(id));
    if (!charge) throw new AppError('NOT_FOUND', 'no such charge');
    return chargeRecord(charge);
  }

  @Post()
  @ApiRepeatable(KEPT)
  @ApiOperation({
    summary: 'Charge a saved card, or authorize an amount on it',
    description:
      'A card that is declined is answered with status FAILED, a provider that gives no answer with PENDING: the provider is asked what came of it until it says so, and a charge.… event tells.',
  })
  @ApiCreatedResponse({ type: BegunChargeBody })
  @ApiOkResponse({ type: BegunChargeBody, description: 'A repeated call.', headers: replayHeader(REPLAYED) })
  async create(
    @CallerOf() caller: Caller,
    @IdempotencyKeyOf() key: string | null,
    @Body() body: CreateChargeBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BegunChargeBody> {
    const retryKey = retryKeyOf(key, '/gateway/charges', body);
    return begunCharge(noted(await this.createCharge.execute(caller, askedCharge(body), retryKey), reply));
  }

  @Post(':id/capture')
  @HttpCode(200)
  @ApiRepeatable(KEPT)
  @ApiOperation({ summary: 'Take what is authorized, or a part of it, once' })
  @ApiParam(CHARGE_ID)
  @ApiBody({ type: CaptureChargeBody, required: false })
  @ApiOkResponse({ type: ChangedChargeBody, headers: replayHeader(REPLAYED) })
  async capture(
    @CallerOf() caller: Caller,
    @ChangeOf() { id, key }: Change,
    @Body() body: CaptureChargeBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChangedChargeBody> {
    const retryKey = retryKeyOf(key, `/gateway/charges/${id}/capture`, body);
    const asked = { kind: 'CAPTURE', amount: body.amount ?? undefined } as const;
    return changedCharge(noted(await this.changeCharge.execute(caller, id, asked, retryKey), reply));
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @ApiRepeatable(KEPT)
  @ApiOperation({ summary: 'Release what is authorized: nothing is taken' })
  @ApiParam(CHARGE_ID)
  @ApiOkResponse({ type: ChangedChargeBody, headers: replayHeader(REPLAYED) })
  async cancel(
    @CallerOf() caller: Caller,
    @ChangeOf() { id, key }: Change,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChangedChargeBody> {
    const retryKey = retryKeyOf(key, `/gateway/charges/${id}/cancel`, {});
    return changedCharge(
      noted(await this.changeCharge.execute(caller, id, { kind: 'VOID' }, retryKey), reply),
    );
  }

  @Post(':id/refund')
  @ApiRepeatable(KEPT)
  @ApiOperation({ summary: 'Give back what was captured, or a part of it' })
  @ApiParam(CHARGE_ID)
  @ApiBody({ type: RefundChargeBody, required: false })
  @ApiCreatedResponse({ type: BegunRefundBody })
  @ApiOkResponse({ type: BegunRefundBody, description: 'A repeated call.', headers: replayHeader(REPLAYED) })
  async refund(
    @CallerOf() caller: Caller,
    @ChangeOf() { id, key }: Change,
    @Body() body: RefundChargeBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BegunRefundBody> {
    const retryKey = retryKeyOf(key, `/gateway/charges/${id}/refund`, body);
    const asked = { kind: 'REFUND', amount: body.amount ?? undefined, reason: body.reason || null } as const;
    return begunRefund(noted(await this.changeCharge.execute(caller, id, asked, retryKey), reply));
  }
}

/** Says so when nothing was begun now. */
function noted(begun: Begun, reply: FastifyReply): Begun {
  noteReplay(begun.replayed, reply);
  return begun;
}
