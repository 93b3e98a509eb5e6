import type { Readable } from 'node:stream';
import type { Caller } from '@counterfoil/kernel';
import { GetRendition, type RenditionChoice } from '@counterfoil/renditions';
import { applyDecorators, Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiErrors } from '../http/error-body';
import { CallerOf, Requires, routeConfig } from '../http/route.decorators';
import { issuedKey } from './issued-key';
import { DocumentFileQuery, eInvoiceChoice, presentFile, toRenditionChoice } from './document-files.schemas';
import { AnswersFile, sendFile } from './send-file';

const Answers = (mimeType: string, description: string) =>
  applyDecorators(ApiParam({ name: 'id', schema: { type: 'string' } }), AnswersFile(mimeType, description));

const AnswersEInvoice = () =>
  applyDecorators(
    ApiErrors('INVALID_STATE'),
    Answers('application/xml', 'XML in UTF-8, the same bytes each time'),
  );

const WHICH =
  'A `TAX_INVOICE` and a `TAX_INVOICE_RECEIPT` are invoices, a `REFUND` and a `RETURN` are credit notes. No other type has one (409 `INVALID_STATE`), nor has a cancelled document, nor one that was issued while the company had no `taxId`, nor one in a currency that was withdrawn (`ANG`, `BGN`, `SLL`, `STN`, `ZWL`).';
const NOT_IN_CII =
  'Of a party in South Sudan (`SS`) there is only the UBL, because the rules for CII do not know the country.';

/** The files of issued documents. The worker makes a file when it is asked for first. */
@ApiTags('Documents')
@Controller('documents')
@routeConfig({ boundsItself: true })
export class DocumentFilesController {
  constructor(private readonly getRendition: GetRendition) {}

  @Get('id/:id/pdf')
  @Requires('read')
  @ApiOperation({
    operationId: 'documents.pdf',
    summary: 'Get the PDF',
    description:
      'The pages of an issued document, by its public id (`visibleId`) or its numeric one: in Hebrew from right to left, or in English, with both parties as they were when it was issued. The e-invoice in UBL is attached, if there is one.',
  })
  @Answers('application/pdf', 'PDF/A-3, the same bytes each time')
  pdf(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Query() query: DocumentFileQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | Readable | undefined> {
    return this.file(caller, id, toRenditionChoice('pdf', query), reply);
  }

  @Get('id/:id/html')
  @Requires('read')
  @ApiOperation({
    operationId: 'documents.html',
    summary: 'Get the HTML page',
    description:
      'The issued document as one HTML page, by its public id (`visibleId`) or its numeric one, with all that the PDF shows. It runs and loads nothing.',
  })
  @Answers('text/html', 'A complete page, the same bytes each time')
  html(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Query() query: DocumentFileQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | Readable | undefined> {
    return this.file(caller, id, toRenditionChoice('html', query), reply);
  }

  @Get('id/:id/ubl')
  @Requires('read')
  @ApiOperation({
    operationId: 'documents.ubl',
    summary: 'Get the e-invoice in UBL',
    description: `The e-invoice of an issued document in UBL 2.1, by EN 16931. ${WHICH}`,
  })
  @AnswersEInvoice()
  ubl(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | Readable | undefined> {
    return this.file(caller, id, eInvoiceChoice('ubl'), reply);
  }

  @Get('id/:id/cii')
  @Requires('read')
  @ApiOperation({
    operationId: 'documents.cii',
    summary: 'Get the e-invoice in CII',
    description: `The e-invoice of an issued document as Cross Industry Invoice (UN/CEFACT), by EN 16931. ${WHICH} ${NOT_IN_CII}`,
  })
  @AnswersEInvoice()
  cii(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | Readable | undefined> {
    return this.file(caller, id, eInvoiceChoice('cii'), reply);
  }

  private async file(
    { companyId }: Caller,
    id: string,
    choice: RenditionChoice,
    reply: FastifyReply,
  ): Promise<Buffer | Readable | undefined> {
    const found = await this.getRendition.execute(companyId, issuedKey(id), choice);
    return sendFile(presentFile(found, choice.format), found.content, reply);
  }
}
