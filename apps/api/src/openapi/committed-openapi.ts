import { loadConfig } from '@counterfoil/config';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from '../app.module';
import { ApiHttpAdapter } from '../http/http-adapter';
import { buildOpenApi } from './serve-openapi';

/** Required settings that do not appear in the description. */
const UNUSED = { DATABASE_URL: 'postgres://127.0.0.1/unused', SECRETS_KEY: 'unused'.padEnd(32, '.') };

/**
 * Returns the text of `docs/openapi.json`, which `npm run openapi` writes. Its server URL is the default of PUBLIC_URL,
 * the only setting in the description. The preview mode of NestJS registers the routes without creating their
 * providers, so this needs neither a database nor a queue store.
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
