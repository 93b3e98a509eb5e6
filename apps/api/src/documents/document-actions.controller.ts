import { AllocateReceipt, AssignApprovalNumber, CancelDocument, CloseDocument } from '@counterfoil/documents';
import type { Caller } from '@counterfoil/kernel';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CallerOf } from '../http/caller.decorator';
import { visibleIdOr404 } from '../http/path-id';
import { Requires } from '../http/requires.decorator';
import { AllocatedReceiptBody, ChangedDocumentBody } from './documents.answers';
import { AllocateReceiptBody, ApprovalNumberBody, CancelDocumentBody } from './documents.dto';
import { allocatedReceipt, changedDocument } from './documents.presenter';

const VISIBLE_ID = { name: 'visibleId', schema: { type: 'string', format: 'uuid' } } as const;

/** What is done to documents once they are issued. */
@ApiTags('Documents')
@Controller('documents')
@Requires('write')
export class DocumentActionsController {
  constructor(
    private readonly closeDocument: CloseDocument,
    private readonly cancelDocument: CancelDocument,
    private readonly allocateReceipt: AllocateReceipt,
    private readonly assignApprovalNumber: AssignApprovalNumber,
  ) {}

  @Post('close/:visibleId')
  @HttpCode(200)
  @ApiOperation({ summary: 'Close an open document by hand' })
  @ApiParam(VISIBLE_ID)
  @ApiOkResponse({ type: ChangedDocumentBody })
  async close(@CallerOf() caller: Caller, @Param('visibleId') text: string): Promise<ChangedDocumentBody> {
    return changedDocument(await this.closeDocument.execute(caller, visibleIdOr404(text, 'document')));
  }

  @Post('cancel/:visibleId')
  @HttpCode(200)
  @ApiOperation({ summary: 'Cancel a receipt or a credit note; what it had settled is open again' })
  @ApiParam(VISIBLE_ID)
  @ApiOkResponse({ type: ChangedDocumentBody })
  async cancel(
    @CallerOf() caller: Caller,
    @Param('visibleId') text: string,
    @Body() { reason }: CancelDocumentBody,
  ): Promise<ChangedDocumentBody> {
    const visibleId = visibleIdOr404(text, 'document');
    return changedDocument(await this.cancelDocument.execute(caller, visibleId, reason));
  }

  @Post('allocate')
  @HttpCode(200)
  @ApiOperation({ summary: 'Allocate what a receipt has left to one or more invoices' })
  @ApiOkResponse({ type: AllocatedReceiptBody })
  async allocate(
    @CallerOf() caller: Caller,
    @Body() { receiptId, allocations }: AllocateReceiptBody,
  ): Promise<AllocatedReceiptBody> {
    return allocatedReceipt(await this.allocateReceipt.execute(caller, receiptId, allocations));
  }

  @Post('approval-number/:visibleId')
  @HttpCode(200)
  @ApiOperation({ summary: "Record the tax authority's allocation number of a tax invoice" })
  @ApiParam(VISIBLE_ID)
  @ApiOkResponse({ type: ChangedDocumentBody })
  async assign(
    @CallerOf() caller: Caller,
    @Param('visibleId') text: string,
    @Body() { approvalNumber }: ApprovalNumberBody,
  ): Promise<ChangedDocumentBody> {
    const visibleId = visibleIdOr404(text, 'document');
    return changedDocument(
      await this.assignApprovalNumber.execute(caller.companyId, visibleId, approvalNumber),
    );
  }
}
