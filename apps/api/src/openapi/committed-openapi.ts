import { loadConfig } from '@counterfoil/config';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from '../app.module';
import { ApiHttpAdapter } from '../http/http-adapter';
import { buildOpenApi } from './serve-openapi';

/** Required settings, of which nothing stands in the description. */
const UNUSED = { DATABASE_URL: 'postgres://127.0.0.1/unused', SECRETS_KEY: 'unused'.padEnd(32, '.') };

/**
 * The text of `docs/openapi.json`, which `npm run openapi` writes. Its server is the default of PUBLIC_URL: nothing else
 * in the description depends on the installation. A preview knows the routes and makes nothing that serves them, so
 * neither a database nor a queue store is needed.
 */
export async function committedOpenApi(): Promise<string> {
  const config = loadConfig(UNUSED);
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.register(config),
    new ApiHttpAdapter(config),
    { preview: true, abortOnError: false, bodyParser: false, logger: false },
  );
  try {
    return `${JSON.stringify(buildOpenApi(app, config.publicUrl), null, 2)}\n`;
  } finally {
    await app.close();
  }
}
