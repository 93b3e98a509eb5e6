import { FileReader, type StoredBytes } from '@counterfoil/files';
import { inTime } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';

/** Each is a label value, and a separate time series. */
const COMPANIES_MAX = 20;
/** Less than the patience of a health check, which asks for the metrics too. */
const QUERY_MAX_MS = 2_000;

/** Serves how much the largest companies store. The worker does, since it is one process kind that can reach them all. */
@Injectable()
export class StorageMetric {
  constructor(
    private readonly files: FileReader,
    private readonly log: Log,
  ) {}

  start(): void {
    const largest = () => this.largest();
    new Gauge({
      name: 'counterfoil_stored_bytes',
      help: 'Bytes of uploaded files, of the companies that store the most',
      labelNames: ['companyId'] as const,
      async collect() {
        const companies = await largest();
        // Companies that are no longer among the largest go.
        this.reset();
        for (const { companyId, bytes } of companies) this.set({ companyId }, bytes);
      },
    });
  }

  /** Empty where the database does not answer in time: a metric that fails would fail the whole scrape. */
  private async largest(): Promise<readonly StoredBytes[]> {
    try {
      return await inTime(this.files.largestCompanies(COMPANIES_MAX), QUERY_MAX_MS);
    } catch (error) {
      this.log.warn({ error }, 'the storage of companies could not be measured');
      return [];
    }
  }
}
