import { ExtractReceipt } from '@counterfoil/expenses';
import type { Caller } from '@counterfoil/kernel';
import { applyDecorators, Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors, ErrorBody } from '../http/error-body';
import { numericId } from '../http/path-id';
import { CallerGone, CallerOf, Requires, routeConfig } from '../http/route.decorators';
import {
  ExtractedBody,
  ExtractFromUrlQuery,
  presentExtraction,
  toExtractFromUrlInput,
} from './extraction.schemas';

const refused = (status: number, description: string) =>
  ApiResponse({ status, type: ErrorBody, description });

const Answers = () =>
  applyDecorators(
    ApiOkResponse({ type: ExtractedBody }),
    refused(422, 'EXTRACTION_FAILED: the document is damaged, encrypted, or too much for the reader'),
    refused(
      503,
      'UNAVAILABLE: too many documents or calls of the company wait, or the file cannot be opened now',
    ),
    refused(504, 'EXTRACTION_TIMEOUT: not read in time; what is found is kept, so ask again'),
  );

@ApiTags('Expenses')
@Controller('expenses')
@routeConfig({ boundsItself: true })
export class ExtractionController {
  constructor(private readonly extractReceipt: ExtractReceipt) {}

  @Get('extract-from-file/:fileId')
  @Requires('read')
  @ApiErrors('UNSUPPORTED_FILE_TYPE_FOR_EXTRACTION')
  @ApiOperation({
    operationId: 'expenses.extractFromFile',
    summary: 'Read an uploaded receipt',
    description:
      'Finds the fields of an expense in an uploaded receipt, and creates nothing. Fields that were not found, or are doubtful, are left out. The same file is read once.',
  })
  @ApiParam({ name: 'fileId', schema: { type: 'integer' } })
  @Answers()
  async fromFile(
    @CallerOf() { companyId }: Caller,
    @CallerGone() gone: AbortSignal,
    @Param('fileId') text: string,
  ): Promise<ExtractedBody> {
    return presentExtraction(await this.extractReceipt.fromFile(companyId, numericId(text), gone));
  }

  @Get('extract-from-url')
  @Requires('read')
  @ApiErrors('MISSING_URL', 'URL_NOT_ALLOWED', 'UNSUPPORTED_FILE_TYPE_FOR_EXTRACTION')
  @ApiOperation({
    operationId: 'expenses.extractFromUrl',
    summary: 'Read a receipt by URL',
    description:
      'Fetches a receipt and finds the fields of an expense in it, and creates nothing. At most 25 MiB, 20 seconds and 5 redirects. Private addresses are refused.',
  })
  @Answers()
  @ApiResponse({ status: 413, type: ErrorBody, description: 'The document is larger than 25 MiB' })
  @ApiResponse({ status: 502, type: ErrorBody, description: 'FETCH_FAILED: the url brought no document' })
  async fromUrl(
    @CallerOf() { companyId }: Caller,
    @CallerGone() gone: AbortSignal,
    @Query() query: ExtractFromUrlQuery,
  ): Promise<ExtractedBody> {
    return presentExtraction(
      await this.extractReceipt.fromUrl(companyId, toExtractFromUrlInput(query), gone),
    );
  }
}
