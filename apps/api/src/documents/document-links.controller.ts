import { Readable } from 'node:stream';
import { asCompany, Clock, ConcurrencyLimit, heavyTurn, UnavailableError } from '@counterfoil/kernel';
import { GetRendition, ReadLogo } from '@counterfoil/renditions';
import { type OpenedShare, OpenShare, RecordView } from '@counterfoil/sharing';
import { Controller, Get, Param, Res, UseFilters } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { contentHeaders, isKnown, validators } from '../files/content-headers';
import { isAbandoned } from '../http/answer-deadlines';
import { ApiErrors } from '../http/error-body';
import { LimitRequests } from '../http/limit-requests';
import { letGoOfSlowReader } from '../http/pace';
import { Public, routeConfig } from '../http/route.decorators';
import { presentFile } from './document-files.schemas';
import { SHARED_HEADERS, sharePage, sharePageHeaders } from './share-page';
import { LinkPageFilter } from './link-page.filter';

/** Rendering more items blocks the event loop for milliseconds. */
const ITEMS_AT_ONCE = 100;
/** Answers that are made, or whose bytes wait for their readers. */
const ANSWERS = { total: 64, perCompany: 32, dynamicThreshold: true, what: 'visits of shared documents' };
/** The standard header, and those of older browsers. */
const ADVANCE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
const TOKEN = {
  name: 'token',
  schema: { type: 'string' },
  description: 'Of a link: anybody who knows it may read the document until the link ends.',
} as const;

/** The pages and PDFs that links open, without a key (contract §8.17). Errors are pages for browsers. */
@ApiTags('Documents')
@Controller('d')
@Public()
@UseFilters(LinkPageFilter)
export class DocumentLinksController {
  private readonly answers = new ConcurrencyLimit(ANSWERS);

  constructor(
    private readonly limits: LimitRequests,
    private readonly openShare: OpenShare,
    private readonly recordView: RecordView,
    private readonly getRendition: GetRendition,
    private readonly readLogo: ReadLogo,
    private readonly clock: Clock,
  ) {}

  @Get(':token')
  @routeConfig({ opensByPath: true })
  @ApiErrors('RATE_LIMITED')
  @ApiOperation({
    operationId: 'sharedDocuments.get',
    summary: 'Show a shared document',
    description:
      'The page that a link opens, for its recipient: the document as it was issued, whether it is paid, due, overdue, closed or cancelled today, and a link to its payment page, if it has one.',
    security: [],
  })
  @ApiParam(TOKEN)
  @ApiOkResponse({ content: { 'text/html': { schema: { type: 'string' } } } })
  async show(
    @Param('token') token: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    const opened = await this.open(token, reply);
    // Not at the cost of the company, whose own calls would wait behind visitors.
    if (opened.document.items.length > ITEMS_AT_ONCE) await heavyTurn(null, () => isAbandoned(reply.request));
    const { share, document } = opened;
    const logo = await asCompany(share.companyId, () =>
      this.readLogo.execute(share.companyId, document.parties.issuer.logoFileId),
    );
    const { html, policy } = sharePage(opened, this.clock.now(), token, logo);
    await this.count(opened, reply.request);
    const page = Buffer.from(html);
    void reply.headers({ ...sharePageHeaders(policy), 'content-length': page.length });
    return pacedAnswer(reply, [page]);
  }

  @Get(':token/pdf')
  @routeConfig({ opensByPath: true, boundsItself: true })
  @ApiErrors('RATE_LIMITED')
  @ApiOperation({
    operationId: 'sharedDocuments.pdf',
    summary: 'Get a shared PDF',
    description: 'The PDF of the document that a link opens.',
    security: [],
  })
  @ApiParam(TOKEN)
  @ApiOkResponse({
    description: 'PDF/A-3, the same bytes each time',
    content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
  })
  @ApiResponse({ status: 304, description: 'The bytes are those of the ETag that If-None-Match names' })
  async pdf(
    @Param('token') token: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable | undefined> {
    const opened = await this.open(token, reply);
    const { companyId, documentId, stamp, language } = opened.share;
    const choice = { format: 'pdf', stamp, language } as const;
    const found = await asCompany(companyId, () =>
      this.getRendition.execute(companyId, { id: documentId }, choice, 'visitor'),
    );
    const file = presentFile(found, 'pdf');
    const { request } = reply;
    if (isKnown(file.sha256, request.headers['if-none-match'])) {
      void reply.status(304).headers({ ...validators(file), ...SHARED_HEADERS });
      return undefined;
    }
    const isHead = request.method === 'HEAD';
    const content = isHead ? [] : [await asCompany(companyId, () => found.content())];
    await this.count(opened, request);
    void reply.headers({
      ...contentHeaders(file),
      ...SHARED_HEADERS,
      'cross-origin-resource-policy': 'same-origin',
    });
    return pacedAnswer(reply, content);
  }

  private async open(token: string, reply: FastifyReply): Promise<OpenedShare> {
    await this.limits.countVisitor(reply.request, reply);
    refuseInAdvance(reply.request);
    const opened = await this.openShare.execute(token);
    const leave = this.answers.take(opened.share.companyId);
    reply.raw.once('close', () => leave());
    return opened;
  }

  /** HEAD shows nothing. */
  private async count(opened: OpenedShare, { method }: FastifyRequest): Promise<void> {
    if (method !== 'GET') return;
    await asCompany(opened.share.companyId, () => this.recordView.execute(opened));
  }
}

/** An answer holds its slot until its reader has it, so a reader who takes too long loses the connection. */
function pacedAnswer(reply: FastifyReply, parts: readonly Buffer[]): Readable {
  const stream = Readable.from(parts);
  letGoOfSlowReader(stream, reply);
  return stream;
}

/**
 * Refuses what a browser fetches or renders in advance (`Sec-Purpose: prefetch;prerender`). It would show these bytes later
 * without another request, so its reader would never be counted, and might see a state of an hour ago. After a refusal it
 * asks again when the link is followed.
 *
 * @throws AppError `UNAVAILABLE`
 */
function refuseInAdvance({ headers }: FastifyRequest): void {
  const purposes = ADVANCE_HEADERS.map((name) => String(headers[name] ?? ''));
  if (!purposes.some((purpose) => /prefetch|prerender|preview/i.test(purpose))) return;
  throw new UnavailableError('prefetch', 'a shared document is not shown in advance: open the link', {
    retryAfterSeconds: 1,
  });
}
