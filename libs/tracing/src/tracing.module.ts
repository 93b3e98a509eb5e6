import { createRequire } from 'node:module';
import { Config, type TracingConfig } from '@counterfoil/config';
import { Log } from '@counterfoil/observability';
import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import type * as OtelTracing from './otel-tracer';
// Shows the metric without tracing, too, as all others are shown.
import './metrics';
import { currentTracer, type TracedProcess, useTracer } from './tracer';

const load = createRequire(__filename);

const STARTED = Symbol('started');

/** Starts tracing if an endpoint is configured, and exports the last spans at shutdown. Without one, loads nothing. */
@Module({})
export class TracingModule implements OnApplicationShutdown {
  static register(traced: TracedProcess): DynamicModule {
    return {
      module: TracingModule,
      providers: [
        {
          provide: STARTED,
          inject: [Config, Log],
          useFactory: ({ tracing }: Config, log: Log) => tracing && start(tracing, traced, log),
        },
      ],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    const tracer = currentTracer();
    useTracer(null);
    await tracer?.stop();
  }
}

function start(tracing: TracingConfig, traced: TracedProcess, log: Log): true {
  // The SDK takes time and memory that a process without tracing must not pay, so it is loaded only here. `import()` of a
  // file would need its extension, which differs between the sources and the compiled code.
  const { OtelTracer } = load('./otel-tracer') as typeof OtelTracing;
  useTracer(new OtelTracer(tracing, traced, log));
  return true;
}
