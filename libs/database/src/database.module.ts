import { Config } from '@counterfoil/config';
import { Clock, Epochs, Transactions } from '@counterfoil/kernel';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { dataSourceOptions } from './data-source';
import { DatabaseClock } from './database-clock';
import { PostgresEpochs } from './postgres-epochs';
import { Presence } from './presence';
import { ReplicaPool } from './replica-pool';
import { SessionSql, Sql } from './sql';
import { TypeOrmTransactions } from './typeorm-transactions';

@Global()
@Module({})
export class DatabaseModule {
  /**
   * @param applicationName the name of this process in `pg_stat_activity`
   * @param statementTimeoutMs PostgreSQL cancels longer statements. Default: 15 seconds. `NO_LIMIT` turns it
   *   off
   */
  static register(applicationName: string, statementTimeoutMs?: number): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [Config],
          useFactory: (config: Config) => ({
            ...dataSourceOptions(config, applicationName, statementTimeoutMs),
            autoLoadEntities: true,
            retryAttempts: 0,
          }),
        }),
      ],
      providers: [
        { provide: Transactions, useClass: TypeOrmTransactions },
        { provide: Clock, useClass: DatabaseClock },
        { provide: Epochs, useClass: PostgresEpochs },
        Presence,
        {
          provide: ReplicaPool,
          inject: [Config],
          useFactory: ({ replicaDatabaseUrl: url }: Config) =>
            url === null ? null : new ReplicaPool(url, applicationName),
        },
        SessionSql,
        Sql,
      ],
      exports: [Transactions, Clock, Epochs, Presence, SessionSql, Sql],
    };
  }
}
