import { type Config, ConfigModule, loadConfig } from '@counterfoil/config';
import { DatabaseModule } from '@counterfoil/database';
import { ObservabilityModule } from '@counterfoil/observability';
import { OutboxModule } from '@counterfoil/outbox';
import { QueueModule } from '@counterfoil/queue';
import type { Abstract, DynamicModule, Type } from '@nestjs/common';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { createTestDatabase, type TestDatabase } from './test-database';

export interface TestContext {
  readonly config: Config;
  readonly database: TestDatabase;
  get<T>(token: Type<T> | Abstract<T>): T;
  close(): Promise<void>;
}

/** A configuration for tests: silent, on the given database. */
export function testConfig(databaseUrl: string, env: Readonly<Record<string, string>> = {}): Config {
  return loadConfig({
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: 'test-secrets-key-of-32-characters',
    LOG_LEVEL: 'silent',
    LOG_FORMAT: 'json',
    ...env,
  });
}

/**
 * Builds modules as an app does, on real PostgreSQL: a context's integration tests get its use cases from here.
 *
 * @param override replaces what stands for the outside world, such as the clock
 * @param env what is configured otherwise than for most tests
 */
export async function startTestContext(
  imports: readonly (Type | DynamicModule)[],
  override: (builder: TestingModuleBuilder) => TestingModuleBuilder = (builder) => builder,
  env: Readonly<Record<string, string>> = {},
): Promise<TestContext> {
  const database = await createTestDatabase();
  const config = testConfig(database.url, env);
  const platform = [
    ConfigModule.register(config),
    ObservabilityModule.register('test'),
    DatabaseModule.register('counterfoil-test'),
    QueueModule,
    OutboxModule,
  ];
  const builder = Test.createTestingModule({ imports: [...platform, ...imports] });
  const module = await override(builder).compile();
  await module.init();
  return {
    config,
    database,
    get: (token) => module.get(token, { strict: false }),
    close: async () => {
      await module.close();
      await database.drop();
    },
  };
}
