import type { PlainDate } from '@counterfoil/kernel';
import { OutboundError, type OutboundHttp, type OutboundResponse } from '@counterfoil/outbound-http';
import {
  PublishedRates,
  PublishedRatesUnavailable,
  type PublishedSince,
} from '../../application/ports/published-rates';
import { readSeries } from './rate-series';

/** All currencies of a year take about 300 KiB. */
const ANSWER_MAX_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
const REDIRECTS_MAX = 2;

/** The Bank of Israel's representative rates, read as an SDMX series (docs/exchange-rates.md). */
export class BankOfIsraelRates extends PublishedRates {
  /** @param url URL of the SDMX dataflow, without a trailing slash */
  constructor(
    private readonly http: OutboundHttp,
    private readonly url: string,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {
    super();
  }

  override async ratesSince(date: PlainDate, signal?: AbortSignal): Promise<PublishedSince> {
    const { status, body } = await this.ask(
      `${this.url}/?c%5BDATA_TYPE%5D=OF00&startperiod=${date}&format=csv`,
      signal,
    );
    if (status !== 200)
      throw new PublishedRatesUnavailable(`the Bank of Israel answered with status ${status}`);
    return readSeries(body.toString('utf8'), date);
  }

  private async ask(url: string, signal: AbortSignal | undefined): Promise<OutboundResponse> {
    try {
      return await this.http.send({
        method: 'GET',
        url,
        headers: { accept: 'text/csv, */*', 'accept-encoding': 'identity', 'user-agent': 'counterfoil' },
        timeoutMs: this.timeoutMs,
        bodyMaxBytes: ANSWER_MAX_BYTES,
        acknowledgeOn: 'body',
        redirectsMax: REDIRECTS_MAX,
        ...(signal && { signal }),
      });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new PublishedRatesUnavailable(`the Bank of Israel cannot be reached: ${error.message}`, {
        cause: error,
      });
    }
  }
}
