import { FileReader, type StoredBytes } from '@counterfoil/files';
import { inTime } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';

/** Each company is a label value, and thus a separate time series. */
const COMPANIES_MAX = 20;
/** Shorter than the timeout of a health check, which also reads the metrics. */
const QUERY_MAX_MS = 2_000;

/** Exports the stored bytes of the largest companies. Only the worker does, because one kind of process is enough. */
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
        // Removes companies that are no longer among the largest.
        this.reset();
        for (const { companyId, bytes } of companies) this.set({ companyId }, bytes);
      },
    });
  }

  /** Empty if the database does not answer in time, because a failing metric would fail the whole scrape. */
  private async largest(): Promise<readonly StoredBytes[]> {
    try {
      return await inTime(this.files.largestCompanies(COMPANIES_MAX), QUERY_MAX_MS);
    } catch (error) {
      this.log.warn({ error }, 'the storage of companies could not be measured');
      return [];
    }
  }
}
