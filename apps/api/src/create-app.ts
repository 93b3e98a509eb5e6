import type { Config } from '@counterfoil/config';
import { Log, NestLog } from '@counterfoil/observability';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { AppModule } from './app.module';
import { ApiHttpAdapter } from './http/http-adapter';
import { acceptOnlyJson } from './http/json-body';
import { addRequestHooks } from './http/request-hooks';
import { serveOpenApi } from './openapi/serve-openapi';

/** Builds the API, ready to listen. */
export async function createApp(config: Config): Promise<NestFastifyApplication> {
  const adapter = new ApiHttpAdapter();
  const server = adapter.getInstance<FastifyInstance>();
  const options = { bodyParser: false, bufferLogs: true, abortOnError: false };
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.register(config), adapter, options);
  app.useLogger(new NestLog(app.get(Log)));
  acceptOnlyJson(server);
  addRequestHooks(server, app.get(Log));
  serveOpenApi(app, config);
  await app.init();
  await server.ready();
  return app;
}
