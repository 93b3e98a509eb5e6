import { Config } from '@counterfoil/config';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { createLog, Log } from './log';

@Global()
@Module({})
export class ObservabilityModule {
  /** @param processName written in each log line */
  static register(processName: string): DynamicModule {
    return {
      module: ObservabilityModule,
      providers: [
        { provide: Log, inject: [Config], useFactory: (config: Config) => createLog(config, processName) },
      ],
      exports: [Log],
    };
  }
}
