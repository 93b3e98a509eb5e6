import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Config } from './config';
import { ConfiguredFaultPoints, FaultPoints } from './fault-points';

/** Provides the configuration and the fault points to all modules. */
@Global()
@Module({})
export class ConfigModule {
  static register(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: Config, useValue: config },
        { provide: FaultPoints, useValue: new ConfiguredFaultPoints(config.faultPoint) },
      ],
      exports: [Config, FaultPoints],
    };
  }
}
