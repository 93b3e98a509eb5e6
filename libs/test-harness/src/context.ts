import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Config, ConfigModule, loadConfig } from '@counterfoil/config';
import { DatabaseModule } from '@counterfoil/database';
import { ObservabilityModule } from '@counterfoil/observability';
import { OutboxModule } from '@counterfoil/outbox';
import { QueueModule } from '@counterfoil/queue';
import { JOBS } from '@counterfoil/schema';
import type { Abstract, DynamicModule, Type } from '@nestjs/common';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { createTestDatabase, type TestDatabase } from './test-database';

/** Modules wired as in an app, in this process. */
export interface OpenContext {
  readonly config: Config;
  get<T>(token: Type<T> | Abstract<T>): T;
  close(): Promise<void>;
}

/** A context with a database, which `close` drops. */
export interface TestContext extends OpenContext {
  readonly database: TestDatabase;
}

/** Builds a configuration for tests: no log output, and the given database. */
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
 * Builds modules as an app does, on a real PostgreSQL, for integration tests of use cases.
 *
 * @param override replaces providers that stand for the outside world, such as the clock
 * @param env settings that differ from the defaults of tests
 */
export async function startTestContext(
  imports: readonly (Type | DynamicModule)[],
  override: (builder: TestingModuleBuilder) => TestingModuleBuilder = (builder) => builder,
  env: Readonly<Record<string, string>> = {},
): Promise<TestContext> {
  const database = await createTestDatabase();
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-data-'));
  const config = testConfig(database.url, { DATA_DIR: dataDir, ...env });
  const context = await openTestContext(config, imports, override);
  return {
    config: context.config,
    database,
    get: (token) => context.get(token),
    close: async () => {
      await context.close();
      await database.drop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Like `startTestContext`, on an existing database, such as that of a running service.
 *
 * @param config from `testConfig`, with the queue store of the service
 */
export async function openTestContext(
  config: Config,
  imports: readonly (Type | DynamicModule)[] = [],
  override: (builder: TestingModuleBuilder) => TestingModuleBuilder = (builder) => builder,
): Promise<OpenContext> {
  const platform = [
    ConfigModule.register(config),
    ObservabilityModule.register('test'),
    DatabaseModule.register('counterfoil-test'),
    QueueModule.register(JOBS),
    OutboxModule,
  ];
  const builder = Test.createTestingModule({ imports: [...platform, ...imports] });
  const module = await override(builder).compile();
  await module.init();
  return {
    config,
    get: (token) => module.get(token, { strict: false }),
    close: () => module.close(),
  };
}
