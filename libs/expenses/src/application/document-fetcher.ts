import { buffer } from 'node:stream/consumers';
import { FILE_BYTES_MAX, ReadFile } from '@counterfoil/files';
import {
  OutboundError,
  type OutboundFailure,
  OutboundHttp,
  type OutboundResponse,
} from '@counterfoil/outbound-http';
import { Injectable } from '@nestjs/common';
import { failed, type ReadingOutcome } from './ports/reading-outcome';
import type { ReadingRequest } from './ports/reading-requests';

const FETCH_TIMEOUT_MS = 20_000;
const REDIRECTS_MAX = 5;

type Fetched = { readonly bytes: Buffer } | ReadingOutcome;

/** Gets the bytes of a document to read, from the file store or from the URL (contract §12.5). */
@Injectable()
export class DocumentFetcher {
  constructor(
    private readonly files: ReadFile,
    private readonly http: OutboundHttp,
  ) {}

  /** @throws Error if the file store fails */
  async fetch({ companyId, of }: Pick<ReadingRequest, 'companyId' | 'of'>): Promise<Fetched> {
    return 'fileId' in of ? { bytes: await this.readFile(companyId, of.fileId) } : this.fetchUrl(of.url);
  }

  private async readFile(companyId: number, fileId: number): Promise<Buffer> {
    const file = await this.files.ofCompany(companyId, fileId);
    return buffer(await file.open());
  }

  private async fetchUrl(url: string): Promise<Fetched> {
    try {
      return documentOf(await this.send(url));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return failed(
        CODES[error.failure] ?? 'FETCH_FAILED',
        `the url could not be fetched: ${error.message}`,
        'once',
      );
    }
  }

  private send(url: string): Promise<OutboundResponse> {
    return this.http.send({
      method: 'GET',
      url,
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'counterfoil' },
      timeoutMs: FETCH_TIMEOUT_MS,
      bodyMaxBytes: FILE_BYTES_MAX,
      acknowledgeOn: 'body',
      redirectsMax: REDIRECTS_MAX,
    });
  }
}

const CODES: Partial<Record<OutboundFailure, 'URL_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE'>> = {
  blocked: 'URL_NOT_ALLOWED',
  too_large: 'PAYLOAD_TOO_LARGE',
};

function documentOf({ status, headers, body }: OutboundResponse): Fetched {
  if (status !== 200) return failed('FETCH_FAILED', `the url was answered with status ${status}`, 'once');
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() === 'identity') return { bytes: body };
  return failed('FETCH_FAILED', 'the url returned a compressed body, which was not requested', 'once');
}
