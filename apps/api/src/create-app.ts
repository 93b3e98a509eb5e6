import type { Config } from '@counterfoil/config';
import { Authenticate } from '@counterfoil/identity';
import type { Permission } from '@counterfoil/kernel';
import { Log, NestLog } from '@counterfoil/observability';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { AppModule } from './app.module';
import { assertMay, type AuthenticatedRequest, keyOf } from './http/auth.guard';
import { ApiHttpAdapter } from './http/http-adapter';
import { acceptOnlyJson } from './http/json-body';
import { addRequestHooks } from './http/request-hooks';
import { assertMultipart } from './http/upload.decorator';
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
  askForTheKeyFirst(server, app.get(Authenticate));
  serveOpenApi(app, config);
  await app.init();
  await server.ready();
  return app;
}

/**
 * Before a body is read that is larger than others may be: reading it takes a while, which nobody without a key gets.
 * Of an upload nothing is read before its role and its type are known to be right.
 */
function askForTheKeyFirst(server: FastifyInstance, authenticate: Authenticate): void {
  server.addHook('onRequest', (request: AuthenticatedRequest, _reply, done) => {
    const { json, upload } = request.routeOptions.config;
    if (!json && !upload) return done();
    askFor(request, authenticate, upload).then(() => done(), done);
  });
}

async function askFor(
  request: AuthenticatedRequest,
  authenticate: Authenticate,
  upload: Permission | undefined,
): Promise<void> {
  const caller = await authenticate.execute(keyOf(request));
  request.caller = caller;
  if (!upload) return;
  assertMay(caller, upload);
  assertMultipart(request);
}
