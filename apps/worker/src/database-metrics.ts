import { FileReader } from '@counterfoil/files';
import { type Backlog, Clock, inTime, shareRun } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { EndpointReader } from '@counterfoil/webhooks';
import { Injectable } from '@nestjs/common';
import { Gauge, register } from 'prom-client';
import { Registry } from './registry';

/** Shorter than the timeout of a scrape, which is 10 seconds by default. */
const QUERIES_MAX_MS = 2_000;
/** Each company is a label value, and thus a separate time series. */
const COMPANIES_MAX = 20;

/** A label value and its figure. */
type Figures = readonly (readonly [label: string, value: number])[];

interface DatabaseGauge {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly measure: () => Promise<Figures>;
}

/**
 * Exports metrics that are measured in the database at each scrape. Every worker exports the same values. The API does
 * not export them, because one kind of process is enough.
 */
@Injectable()
export class DatabaseMetrics {
  constructor(
    private readonly registry: Registry,
    private readonly endpoints: EndpointReader,
    private readonly files: FileReader,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  start(): void {
    const measureBacklogs = shareRun(() => this.measureBacklogs());
    this.add({
      name: 'counterfoil_backlog',
      help: 'Work that is due and not done, by kind; at most 10,000 are counted',
      label: 'work',
      measure: async () => (await measureBacklogs()).map(([work, { waiting }]) => [work, waiting]),
    });
    this.add({
      name: 'counterfoil_backlog_oldest_seconds',
      help: 'For how long the oldest of this work has been due; 0 if nothing is due',
      label: 'work',
      measure: async () =>
        (await measureBacklogs()).map(([work, { oldestDueAt }]) => [work, this.ageOf(oldestDueAt)]),
    });
    this.add({
      name: 'counterfoil_webhook_endpoints',
      help: 'Webhook endpoints that are paused',
      label: 'state',
      measure: async () => [['paused', await this.endpoints.countPaused()]],
    });
    this.add({
      name: 'counterfoil_stored_bytes',
      help: 'Bytes of uploaded files, of the companies that store the most',
      label: 'companyId',
      measure: async () => {
        const largest = await this.files.largestCompanies(COMPANIES_MAX);
        return largest.map(({ companyId, bytes }) => [String(companyId), bytes]);
      },
    });
  }

  private async measureBacklogs(): Promise<readonly (readonly [work: string, backlog: Backlog])[]> {
    const measured = Object.entries(this.registry.backlogs()).map(
      async ([work, useCase]) => [work, await useCase.backlog()] as const,
    );
    return Promise.all(measured);
  }

  /** If the database does not answer, the scrape succeeds without values of this metric. Old values would mislead. */
  private add({ name, help, label, measure }: DatabaseGauge): void {
    const { log } = this;
    // Tests start several workers in one process. The latest one is measured.
    register.removeSingleMetric(name);
    new Gauge({
      name,
      help,
      labelNames: [label],
      async collect() {
        const figures = await inTime(measure(), QUERIES_MAX_MS).catch((error: unknown) => {
          log.warn({ metric: name, error }, 'a metric could not be measured');
          return [];
        });
        // Removes labels that are no longer measured.
        this.reset();
        for (const [value, figure] of figures) this.set({ [label]: value }, figure);
      },
    });
  }

  /** By the clock of the database, which decides what is due. A due time set by another process may be ahead of it. */
  private ageOf(dueAt: Date | null): number {
    return dueAt === null ? 0 : Math.max(0, (this.clock.now().getTime() - dueAt.getTime()) / 1_000);
  }
}
