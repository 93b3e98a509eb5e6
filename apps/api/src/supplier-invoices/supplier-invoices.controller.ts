import { CancelSupplierInvoice, CreateSupplierInvoice, SupplierInvoiceReader } from '@counterfoil/documents';
import { AppError, type Caller } from '@counterfoil/kernel';
import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiWholeListOf } from '../http/answers';
import { ApiErrors } from '../http/error-body';
import { ApiStoredResponse, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import { VISIBLE_ID, visibleIdOr404 } from '../http/path-id';
import { CallerOf, Requires } from '../http/route.decorators';
import { UNPAGED, answerUnpaged } from '../http/unpaged-list';
import {
  CancelPurchaseBody,
  CreatePurchaseBody,
  ListPurchasesQuery,
  presentSupplierInvoice,
  presentSupplierInvoiceIds,
  PurchaseBody,
  PurchaseIdBody,
  toCreateInvoiceInput,
} from './supplier-invoices.schemas';

const WHAT = 'supplier invoice';

/** Supplier invoices (contract §11.6). */
@ApiTags('Purchase')
@Controller('purchase')
export class PurchaseController {
  constructor(
    private readonly reader: SupplierInvoiceReader,
    private readonly createInvoice: CreateSupplierInvoice,
    private readonly cancelInvoice: CancelSupplierInvoice,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({
    operationId: 'purchases.list',
    summary: 'List supplier invoices',
    description: `The newest date first. ${UNPAGED} \`startDate\` and \`endDate\`, or \`vendorId\`, make it smaller.`,
  })
  @ApiWholeListOf(PurchaseBody)
  list(
    @CallerOf() caller: Caller,
    @Query() filter: ListPurchasesQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerUnpaged(this.reader.list(caller.companyId, filter), presentSupplierInvoice, reply);
  }

  @Get('id/:visibleId')
  @Requires('read')
  @ApiOperation({
    operationId: 'purchases.get',
    summary: 'Get a supplier invoice',
    description: 'Reads a supplier invoice by its public id.',
  })
  @ApiParam(VISIBLE_ID)
  @ApiOkResponse({ type: PurchaseBody })
  async read(@CallerOf() caller: Caller, @Param('visibleId') text: string): Promise<PurchaseBody> {
    const invoice = await this.reader.find(caller.companyId, { visibleId: visibleIdOr404(text, WHAT) });
    if (!invoice) throw new AppError('NOT_FOUND', `no such ${WHAT}`);
    return presentSupplierInvoice(invoice);
  }

  @Post('create')
  @Requires('write')
  @Idempotent('purchases.create')
  @ApiErrors('UNKNOWN_REFERENCE')
  @ApiOperation({
    operationId: 'purchases.create',
    summary: 'Create a supplier invoice',
    description: 'Records an invoice that a vendor issued.',
  })
  @ApiCreatedResponse({ type: PurchaseIdBody })
  @ApiStoredResponse({ type: PurchaseIdBody })
  async create(@CallOf() { caller, key }: Call, @Body() body: CreatePurchaseBody): Promise<PurchaseIdBody> {
    return createOnce(key, presentSupplierInvoiceIds, (call) =>
      this.createInvoice.execute(caller, toCreateInvoiceInput(body), call),
    );
  }

  @Post('cancel/:visibleId')
  @HttpCode(200)
  @Requires('write')
  @ApiErrors('INVALID_STATE')
  @ApiOperation({
    operationId: 'purchases.cancel',
    summary: 'Cancel a supplier invoice',
    description: 'It stays, and is no cost any more.',
  })
  @ApiParam(VISIBLE_ID)
  @ApiOkResponse({ type: PurchaseIdBody })
  async cancel(
    @CallerOf() caller: Caller,
    @Param('visibleId') text: string,
    @Body() { reason }: CancelPurchaseBody,
  ): Promise<PurchaseIdBody> {
    const invoice = await this.cancelInvoice.execute(caller, visibleIdOr404(text, WHAT), reason);
    return { success: true, purchaseId: invoice.id, visibleId: invoice.visibleId };
  }
}
