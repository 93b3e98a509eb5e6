import {
  AllocateReceipt,
  AssignAllocationNumber,
  CancelDocument,
  CloseDocument,
} from '@counterfoil/documents';
import type { Caller } from '@counterfoil/kernel';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ApiErrors } from '../http/error-body';
import {
  ApiStoredResponse,
  type Call,
  CallOf,
  createOnce,
  DONE_OR_REPEATED,
  Idempotent,
} from '../http/idempotency';
import { VISIBLE_ID, visibleIdOr404 } from '../http/path-id';
import { CallerOf, Requires } from '../http/route.decorators';
import {
  AllocatedReceiptBody,
  AllocateReceiptBody,
  AllocationNumberBody,
  CancelDocumentBody,
  ChangedDocumentBody,
  presentAllocatedReceipt,
  presentChangedDocument,
} from './document-actions.schemas';

/** Changes to issued documents. */
@ApiTags('Documents')
@Controller('documents')
@Requires('write')
export class DocumentActionsController {
  constructor(
    private readonly closeDocument: CloseDocument,
    private readonly cancelDocument: CancelDocument,
    private readonly allocateReceipt: AllocateReceipt,
    private readonly assignAllocationNumber: AssignAllocationNumber,
  ) {}

  @Post('close/:visibleId')
  @HttpCode(200)
  @ApiErrors('INVALID_STATE')
  @ApiOperation({
    operationId: 'documents.close',
    summary: 'Close a document',
    description: 'Closes an open document by hand.',
  })
  @ApiParam(VISIBLE_ID)
  @ApiOkResponse({ type: ChangedDocumentBody })
  async close(@CallerOf() caller: Caller, @Param('visibleId') text: string): Promise<ChangedDocumentBody> {
    return presentChangedDocument(await this.closeDocument.execute(caller, visibleIdOr404(text, 'document')));
  }

  @Post('cancel/:visibleId')
  @HttpCode(200)
  @ApiErrors('INVALID_STATE')
  @ApiOperation({
    operationId: 'documents.cancel',
    summary: 'Cancel a document',
    description: 'Cancels a receipt or a credit note. What it had settled is open again.',
  })
  @ApiParam(VISIBLE_ID)
  @ApiOkResponse({ type: ChangedDocumentBody })
  async cancel(
    @CallerOf() caller: Caller,
    @Param('visibleId') text: string,
    @Body() { reason }: CancelDocumentBody,
  ): Promise<ChangedDocumentBody> {
    const visibleId = visibleIdOr404(text, 'document');
    return presentChangedDocument(await this.cancelDocument.execute(caller, visibleId, reason));
  }

  @Post('allocate')
  @HttpCode(200)
  @Idempotent('documents.allocate')
  @ApiErrors('UNKNOWN_REFERENCE', 'INVALID_STATE')
  @ApiOperation({
    operationId: 'documents.allocate',
    summary: 'Allocate a receipt',
    description: 'Allocates what a receipt has left to one or more documents.',
  })
  @ApiStoredResponse({ type: AllocatedReceiptBody, description: DONE_OR_REPEATED })
  allocate(
    @CallOf() { caller, key }: Call,
    @Body() body: AllocateReceiptBody,
  ): Promise<AllocatedReceiptBody> {
    return createOnce(key, presentAllocatedReceipt, (call) =>
      this.allocateReceipt.execute(caller, body, call),
    );
  }

  @Post('approval-number/:visibleId')
  @HttpCode(200)
  @ApiErrors('INVALID_STATE')
  @ApiOperation({
    operationId: 'documents.setAllocationNumber',
    summary: 'Set an allocation number',
    description: "Records the tax authority's allocation number of a tax invoice.",
  })
  @ApiParam(VISIBLE_ID)
  @ApiOkResponse({ type: ChangedDocumentBody })
  async assign(
    @CallerOf() caller: Caller,
    @Param('visibleId') text: string,
    @Body() { approvalNumber: allocationNumber }: AllocationNumberBody,
  ): Promise<ChangedDocumentBody> {
    const visibleId = visibleIdOr404(text, 'document');
    return presentChangedDocument(
      await this.assignAllocationNumber.execute(caller.companyId, visibleId, allocationNumber),
    );
  }
}
