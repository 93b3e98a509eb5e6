import { Config } from '@counterfoil/config';
import { Transactions } from '@counterfoil/kernel';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { dataSourceOptions } from './data-source';
import { Sql } from './sql';
import { TypeOrmTransactions } from './typeorm-transactions';

@Global()
@Module({})
export class DatabaseModule {
  /** @param applicationName what `pg_stat_activity` shows for this process */
  static register(applicationName: string): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [Config],
          useFactory: (config: Config) => ({
            ...dataSourceOptions(config, applicationName),
            autoLoadEntities: true,
            retryAttempts: 0,
          }),
        }),
      ],
      providers: [{ provide: Transactions, useClass: TypeOrmTransactions }, Sql],
      exports: [Transactions, Sql],
    };
  }
}
