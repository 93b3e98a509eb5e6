import { AppError, type Caller } from '@counterfoil/kernel';
import { MailReader, type MailRecord, SendDocument } from '@counterfoil/mail';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { issuedKey, operationOnDocument } from '../documents/issued-key';
import { ApiPageOf } from '../http/answers';
import { ApiErrors } from '../http/error-body';
import { ApiStoredResponse, type Call, CallOf, createOnce, Idempotent } from '../http/idempotency';
import { numericId } from '../http/path-id';
import { ApiPaginated, PageQuery } from '../http/query-fields';
import { CallerOf, Requires } from '../http/route.decorators';
import {
  ListMailsQuery,
  MailBody,
  presentSentDocument,
  SendDocumentBody,
  SentDocumentBody,
  toSendDocumentInput,
} from './mails.schemas';

/** Sends issued documents by e-mail, and shows what became of the mails (contract §8.18). */
@ApiTags('Documents')
@Controller()
export class MailsController {
  constructor(
    private readonly sendDocument: SendDocument,
    private readonly reader: MailReader,
  ) {}

  @Post('documents/id/:id/send')
  @Requires('write')
  @Idempotent(operationOnDocument('documents.send'))
  @ApiErrors('INVALID_STATE', 'LIMIT_REACHED')
  @ApiOperation({
    operationId: 'documents.send',
    summary: 'Send a document by e-mail',
    description:
      'Queues a mail with the PDF of an issued document for each recipient. A mail is retried until the mail server accepts or refuses it, and never sent twice.',
  })
  @ApiParam({ name: 'id', schema: { type: 'string' } })
  @ApiCreatedResponse({ type: SentDocumentBody })
  @ApiStoredResponse({ type: SentDocumentBody })
  send(
    @CallOf() { caller, key }: Call,
    @Param('id') id: string,
    @Body() body: SendDocumentBody,
  ): Promise<SentDocumentBody> {
    return createOnce(key, presentSentDocument, (call) =>
      this.sendDocument.execute(caller, issuedKey(id), toSendDocumentInput(body), call),
    );
  }

  @Get('mails')
  @Requires('read')
  @ApiOperation({
    operationId: 'mails.list',
    summary: 'List mails',
    description: 'The mails with documents, the newest first: one for each recipient.',
  })
  @ApiPaginated()
  @ApiPageOf(MailBody)
  list(
    @CallerOf() { companyId }: Caller,
    @Query() filter: ListMailsQuery,
    @PageQuery() page: PageRequest,
  ): Promise<Page<MailRecord>> {
    return this.reader.list(companyId, { filter, page });
  }

  @Get('mails/:id')
  @Requires('read')
  @ApiOperation({
    operationId: 'mails.get',
    summary: 'Get a mail',
    description: 'Reads the state of a mail, with the last words of the mail server.',
  })
  @ApiParam({ name: 'id', schema: { type: 'integer' } })
  @ApiOkResponse({ type: MailBody })
  async find(@CallerOf() { companyId }: Caller, @Param('id') id: string): Promise<MailRecord> {
    const mail = await this.reader.find(companyId, numericId(id));
    if (!mail) throw new AppError('NOT_FOUND', 'no such mail');
    return mail;
  }
}
