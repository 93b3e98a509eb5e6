import { Config } from '@counterfoil/config';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { createLog, Log, type LogDestination } from './log';

@Global()
@Module({})
export class ObservabilityModule {
  /**
   * @param processName written in each log line
   * @param destination standard output by default
   */
  static register(processName: string, destination?: LogDestination): DynamicModule {
    return {
      module: ObservabilityModule,
      providers: [
        {
          provide: Log,
          inject: [Config],
          useFactory: (config: Config) => createLog(config, processName, destination),
        },
      ],
      exports: [Log],
    };
  }
}
