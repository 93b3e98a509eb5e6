import { FaultPoints } from '@counterfoil/kernel';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Config } from './config';
import { ConfiguredFaultPoints } from './configured-fault-points';

/** Gives every module what comes from the surroundings: the configuration, and faults on purpose. */
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
