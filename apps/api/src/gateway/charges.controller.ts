import { AppError, type Caller } from '@counterfoil/kernel';
import type { Page, PageRequest } from '@counterfoil/pagination';
import {
  type ChargeChangeInput,
  type StartedOperation,
  ChangeCharge,
  CreateCharge,
  PaymentsReader,
} from '@counterfoil/payments';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ApiPageOf } from '../http/answers';
import { ApiErrors } from '../http/error-body';
import {
  ApiStoredResponse,
  type Call,
  CallOf,
  createOnce,
  DONE_OR_REPEATED,
  Idempotent,
} from '../http/idempotency';
import { numericId } from '../http/path-id';
import { ApiPaginated, PageQuery } from '../http/query-fields';
import { CallerOf, Requires, routeConfig } from '../http/route.decorators';
import { identifiedKey } from './charge-key';
import {
  BegunChargeBody,
  BegunRefundBody,
  CaptureChargeBody,
  ChangedChargeBody,
  ChargeBody,
  ChargeRecordBody,
  CreateChargeBody,
  ListChargesQuery,
  presentBegunCharge,
  presentBegunRefund,
  presentChangedCharge,
  presentCharge,
  presentChargeRecord,
  RefundChargeBody,
  toCreateChargeInput,
} from './charges.schemas';

/** docs/operations.md, "Charges": every other call is answered within 15 seconds. */
const SLOW =
  'Waits for the provider, up to 20 seconds: the answer may take 35 seconds if the database becomes unavailable meanwhile.';

const CHARGE_ID = { name: 'id', schema: { type: 'integer' } } as const;

/** A requested change of the charge that the path names. */
interface RequestedChange {
  readonly id: string;
  readonly action: string;
  readonly body: object;
  readonly change: ChargeChangeInput;
}

/** Charges of saved cards (contract §14.3). */
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
  @ApiOperation({ operationId: 'charges.list', summary: 'List charges', description: 'The newest first.' })
  @ApiPaginated()
  @ApiPageOf(ChargeBody)
  async list(
    @CallerOf() caller: Caller,
    @Query() filter: ListChargesQuery,
    @PageQuery() page: PageRequest,
  ): Promise<Page<ChargeBody>> {
    const { data, pagination } = await this.reader.charges(caller.companyId, filter, page);
    return { data: data.map(presentCharge), pagination };
  }

  @Get(':id')
  @Requires('read')
  @ApiOperation({
    operationId: 'charges.get',
    summary: 'Get a charge',
    description: 'Reads a charge, with all that was asked of its provider.',
  })
  @ApiParam(CHARGE_ID)
  @ApiOkResponse({ type: ChargeRecordBody })
  async read(@CallerOf() caller: Caller, @Param('id') id: string): Promise<ChargeRecordBody> {
    const charge = await this.reader.charge(caller.companyId, numericId(id));
    if (!charge) throw new AppError('NOT_FOUND', 'no such charge');
    return presentChargeRecord(charge);
  }

  @Post()
  @routeConfig({ boundsItself: true })
  @Requires('write')
  @Idempotent(null)
  @ApiErrors('UNKNOWN_REFERENCE', 'INVALID_STATE')
  @ApiOperation({
    operationId: 'charges.create',
    summary: 'Charge a card',
    description: `Charges a saved card, or authorizes an amount on it. A card that is declined is answered with status FAILED, a provider that gives no answer with PENDING: the provider is asked what came of it until it says so, and a charge.… event tells. ${SLOW}`,
  })
  @ApiCreatedResponse({ type: BegunChargeBody })
  @ApiStoredResponse({ type: BegunChargeBody })
  create(@CallOf() { caller, key }: Call, @Body() body: CreateChargeBody): Promise<BegunChargeBody> {
    return createOnce(identifiedKey(key, '/gateway/charges', body), presentBegunCharge, (call) =>
      this.createCharge.execute(caller, toCreateChargeInput(body), call),
    );
  }

  @Post(':id/capture')
  @routeConfig({ boundsItself: true })
  @HttpCode(200)
  @Requires('write')
  @Idempotent(null)
  @ApiErrors('INVALID_STATE', 'LIMIT_REACHED')
  @ApiOperation({
    operationId: 'charges.capture',
    summary: 'Capture a charge',
    description: `Takes what is authorized, or a part of it, once. ${SLOW}`,
  })
  @ApiParam(CHARGE_ID)
  @ApiBody({ type: CaptureChargeBody, required: false })
  @ApiStoredResponse({ type: ChangedChargeBody, description: DONE_OR_REPEATED })
  capture(
    @CallOf() call: Call,
    @Param('id') id: string,
    @Body() body: CaptureChargeBody,
  ): Promise<ChangedChargeBody> {
    const change = { kind: 'CAPTURE', amount: body.amount ?? undefined } as const;
    return this.change(call, { id, action: 'capture', body, change }, presentChangedCharge);
  }

  @Post(':id/cancel')
  @routeConfig({ boundsItself: true })
  @HttpCode(200)
  @Requires('write')
  @Idempotent(null)
  @ApiErrors('INVALID_STATE', 'LIMIT_REACHED')
  @ApiOperation({
    operationId: 'charges.cancel',
    summary: 'Cancel a charge',
    description: `Releases what is authorized: nothing is taken. ${SLOW}`,
  })
  @ApiParam(CHARGE_ID)
  @ApiStoredResponse({ type: ChangedChargeBody, description: DONE_OR_REPEATED })
  cancel(@CallOf() call: Call, @Param('id') id: string): Promise<ChangedChargeBody> {
    return this.change(
      call,
      { id, action: 'cancel', body: {}, change: { kind: 'VOID' } },
      presentChangedCharge,
    );
  }

  @Post(':id/refund')
  @routeConfig({ boundsItself: true })
  @Requires('write')
  @Idempotent(null)
  @ApiErrors('INVALID_STATE', 'LIMIT_REACHED')
  @ApiOperation({
    operationId: 'charges.refund',
    summary: 'Refund a charge',
    description: `Gives back what was captured, or a part of it. ${SLOW}`,
  })
  @ApiParam(CHARGE_ID)
  @ApiBody({ type: RefundChargeBody, required: false })
  @ApiCreatedResponse({ type: BegunRefundBody })
  @ApiStoredResponse({ type: BegunRefundBody })
  refund(
    @CallOf() call: Call,
    @Param('id') id: string,
    @Body() body: RefundChargeBody,
  ): Promise<BegunRefundBody> {
    const change = { kind: 'REFUND', amount: body.amount ?? undefined, reason: body.reason || null } as const;
    return this.change(call, { id, action: 'refund', body, change }, presentBegunRefund);
  }

  private change<Changed extends object>(
    { caller, key }: Call,
    { id, action, body, change }: RequestedChange,
    present: (started: StartedOperation) => Changed,
  ): Promise<Changed> {
    const chargeId = numericId(id);
    const identified = identifiedKey(key, `/gateway/charges/${chargeId}/${action}`, body);
    return createOnce(identified, present, (call) =>
      this.changeCharge.execute(caller, chargeId, change, call),
    );
  }
}
