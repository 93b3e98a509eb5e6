import { loadConfig } from '@counterfoil/config';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import { AppModule } from '../app.module';
import { ErrorBody } from '../http/error-body';
import { ApiHttpAdapter } from '../http/http-adapter';
import { describeApi } from './describe-api';
import { finishOpenApi } from './finish-openapi';

/** Required settings that do not appear in the description. */
const UNUSED = { DATABASE_URL: 'postgres://127.0.0.1/unused', SECRETS_KEY: 'unused'.padEnd(32, '.') };

/**
 * Returns the text of `docs/openapi.json`, which `npm run openapi` writes and the API serves. The preview mode of NestJS
 * registers the routes without creating their providers, so this needs neither a database nor a queue store.
 *
 * @param settings PUBLIC_URL, the only setting in the description; its default if it is left out
 */
export async function committedOpenApi(settings: { readonly PUBLIC_URL?: string } = {}): Promise<string> {
  const config = loadConfig({ ...UNUSED, ...settings });
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.register(config),
    new ApiHttpAdapter(config),
    { preview: true, abortOnError: false, bodyParser: false, logger: false },
  );
  try {
    const base = describeApi(config.publicUrl);
    const found = SwaggerModule.createDocument(app, base, { extraModels: [ErrorBody] });
    return `${JSON.stringify(finishOpenApi(found), null, 2)}\n`;
  } finally {
    await app.close();
  }
}
