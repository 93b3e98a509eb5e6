import type { Caller } from '@counterfoil/kernel';
import { CreateShare, ListShares, RevokeShare } from '@counterfoil/sharing';
import { Body, Controller, Delete, Get, Param, Post, Res, UseInterceptors } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiWholeListOf, SUCCESS, SuccessBody } from '../http/answers';
import { ApiErrors } from '../http/error-body';
import { ApiStoredResponse, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import { numericId } from '../http/path-id';
import { CallerOf, Requires } from '../http/route.decorators';
import { answerUnpaged, UNPAGED } from '../http/unpaged-list';
import {
  CreatedShareBody,
  presentCreatedShare,
  presentShare,
  ShareBody,
  ShareDocumentBody,
  toShareInput,
} from './document-shares.schemas';
import { issuedKey, operationOnDocument } from './issued-key';
import { InsertShareUrl } from './insert-share-url';

const ID = { name: 'id', schema: { type: 'string' } } as const;
const SHARE_ID = { name: 'shareId', schema: { type: 'integer' } } as const;

/** Links to documents for people without a key (contract §8.17). */
@ApiTags('Documents')
@Controller('documents/id/:id')
export class DocumentSharesController {
  constructor(
    private readonly createShare: CreateShare,
    private readonly listShares: ListShares,
    private readonly revokeShare: RevokeShare,
  ) {}

  @Post('share')
  @Requires('write')
  @Idempotent(operationOnDocument('documents.share'))
  @UseInterceptors(InsertShareUrl)
  @ApiErrors('UNKNOWN_REFERENCE', 'LIMIT_REACHED')
  @ApiOperation({
    operationId: 'documents.share',
    summary: 'Share a document',
    description:
      'Makes a link that opens the document, its state and its PDF to whoever has it, until it expires or is revoked. `id` is the public id or the numeric one.',
  })
  @ApiParam(ID)
  @ApiCreatedResponse({ type: CreatedShareBody })
  @ApiStoredResponse({ type: CreatedShareBody })
  share(
    @CallOf() { caller, key }: Call,
    @Param('id') id: string,
    @Body() body: ShareDocumentBody,
  ): Promise<CreatedShareBody> {
    return createOnce(key, presentCreatedShare, (call) =>
      this.createShare.execute(caller, toShareInput(issuedKey(id), body), call),
    );
  }

  @Get('shares')
  @Requires('read')
  @ApiOperation({
    operationId: 'documents.listShares',
    summary: 'List links',
    description: `With their views, and without what opens the document; oldest first, also those that have ended. ${UNPAGED}`,
  })
  @ApiParam(ID)
  @ApiWholeListOf(ShareBody)
  async list(
    @CallerOf() { companyId }: Caller,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerUnpaged(await this.listShares.execute(companyId, issuedKey(id)), presentShare, reply);
  }

  @Delete('shares/:shareId')
  @Requires('write')
  @ApiOperation({
    operationId: 'documents.revokeShare',
    summary: 'Revoke a link',
    description: 'It opens nothing from then on. A link that is revoked already stays as it is.',
  })
  @ApiParam(ID)
  @ApiParam(SHARE_ID)
  @ApiOkResponse({ type: SuccessBody })
  async revoke(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Param('shareId') shareId: string,
  ): Promise<SuccessBody> {
    await this.revokeShare.execute(caller, issuedKey(id), numericId(shareId, 'shareId'));
    return SUCCESS;
  }
}
