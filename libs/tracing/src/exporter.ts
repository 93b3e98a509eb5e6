import type { TracingConfig } from '@counterfoil/config';
import type { Log } from '@counterfoil/observability';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

/** The time for one batch, with its retries. */
const EXPORT_MAX_MS = 5_000;

/**
 * Sends batches to the endpoint of the operator. Like the database and S3, it may have a private address, so it is not
 * reached through the guarded client, which is for the URLs of customers.
 */
export function createExporter({ endpoint, headers, protocol }: TracingConfig, log: Log): SpanExporter {
  const Exporter = protocol === 'http/json' ? JsonExporter : ProtobufExporter;
  const options = { url: endpoint, headers: { ...headers }, timeoutMillis: EXPORT_MAX_MS };
  return new ReportingExporter(new Exporter(options), log);
}

/** Logs when the exporter begins to fail and when it works again, and not each batch in between. */
class ReportingExporter implements SpanExporter {
  private isFailing = false;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly log: Log,
  ) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.exporter.export(spans, (result) => {
      this.note(result);
      done(result);
    });
  }

  async shutdown(): Promise<void> {
    await this.exporter.shutdown();
  }

  private note({ code, error }: ExportResult): void {
    const fails = code !== ExportResultCode.SUCCESS;
    if (fails && !this.isFailing) this.log.warn({ error }, 'spans cannot be exported; they are lost');
    if (!fails && this.isFailing) this.log.info({}, 'spans are exported again');
    this.isFailing = fails;
  }
}
