import { Clock, SystemClock } from '@counterfoil/kernel';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Config } from './config';

/** Gives every module what comes from the surroundings: the configuration and the time. */
@Global()
@Module({})
export class ConfigModule {
  static register(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: Config, useValue: config },
        { provide: Clock, useClass: SystemClock },
      ],
      exports: [Config, Clock],
    };
  }
}
