import { Readable } from 'node:stream';
import { ReadAccountStatement } from '@counterfoil/documents';
import { AppError, type Caller } from '@counterfoil/kernel';
import { PartyReader } from '@counterfoil/parties';
import { GetStatementFile, mediaTypeOf } from '@counterfoil/renditions';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { AnswersFile, sendFile } from '../documents/send-file';
import { VISIBLE_ID, visibleIdOr404 } from '../http/path-id';
import { CallerOf, Requires, routeConfig } from '../http/route.decorators';
import {
  presentStatement,
  StatementBody,
  StatementFileQuery,
  StatementQuery,
  toStatementChoice,
  toStatementFileChoice,
} from './statements.schemas';

const WHAT =
  'Tax invoices are debits; receipts and credit notes are credits. Documents that only ask for payment, and cancelled ones, are not in it.';

/** Statements of account of clients (contract §8.20). */
@ApiTags('Clients')
@Controller('clients/id/:visibleId/statement')
export class StatementsController {
  constructor(
    private readonly clients: PartyReader,
    private readonly readStatement: ReadAccountStatement,
    private readonly getFile: GetStatementFile,
  ) {}

  @Get()
  @Requires('read')
  @ApiOperation({
    operationId: 'clients.statement',
    summary: 'Get a statement of account',
    description: `What a client owes, in one currency: the balance before a period, each document in it with the balance after it, and what is open by its age. ${WHAT}`,
  })
  @ApiParam(VISIBLE_ID)
  @ApiOkResponse({ type: StatementBody })
  async read(
    @CallerOf() { companyId }: Caller,
    @Param('visibleId') visibleId: string,
    @Query() query: StatementQuery,
  ): Promise<StatementBody> {
    const choice = toStatementChoice(await this.idOf(companyId, visibleId), query);
    return presentStatement(await this.readStatement.execute(companyId, choice));
  }

  @Get('pdf')
  @Requires('read')
  @routeConfig({ boundsItself: true })
  @ApiOperation({
    operationId: 'clients.statementPdf',
    summary: 'Get a statement as PDF',
    description: `The statement of account as pages that look like those of documents. ${WHAT}`,
  })
  @ApiParam(VISIBLE_ID)
  @AnswersFile('application/pdf', 'PDF/A-3, the same bytes as long as the account stays as it is')
  async pdf(
    @CallerOf() { companyId }: Caller,
    @Param('visibleId') visibleId: string,
    @Query() query: StatementFileQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | Readable | undefined> {
    const choice = toStatementFileChoice(await this.idOf(companyId, visibleId), query);
    const { sha256, size, content } = await this.getFile.execute(companyId, choice);
    const fileName = `statement-${query.from}-${query.to}.pdf`;
    return sendFile({ fileName, mimeType: mediaTypeOf('pdf'), size, sha256 }, content, reply);
  }

  private async idOf(companyId: number, visibleId: string): Promise<number> {
    const client = await this.clients.find(companyId, 'client', visibleIdOr404(visibleId, 'client'));
    if (!client) throw new AppError('NOT_FOUND', 'no such client');
    return client.id;
  }
}
