import type { Config } from '@counterfoil/config';
import { Authenticate } from '@counterfoil/identity';
import { Clock } from '@counterfoil/kernel';
import { Log, NestLog } from '@counterfoil/observability';
import { RequestLog } from '@counterfoil/request-log';
import { isTracing, traceUseCases } from '@counterfoil/tracing';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { AppModule } from './app.module';
import { serveConsole } from './console/serve-console';
import { serveDocs } from './docs/serve-docs';
import { gateAdmissions } from './http/admission-gate';
import { AnswerDeadlines } from './http/answer-deadlines';
import { gateAnswers } from './http/answer-gate';
import { authorizeBeforeBody, AuthorizeRequest } from './http/authorize-request';
import { gateBodies } from './http/body-gate';
import { compressAnswers } from './http/compress-answers';
import { connectionsWithin, openFilesLimit } from './http/connections';
import { Drain } from './http/drain';
import { ApiHttpAdapter } from './http/http-adapter';
import { nameIgnoredFields } from './http/ignored-fields';
import { acceptOnlyJson } from './http/json-body';
import { LimitRequests } from './http/limit-requests';
import { LoneCompany } from './http/lone-company';
import { addRequestHooks, scopeRequests } from './http/request-hooks';
import { continueTraces, traceRequests } from './http/trace-requests';
import { serveMailbox } from './mailbox/serve-mailbox';
import { serveOpenApi } from './openapi/serve-openapi';

/** Builds the API, ready to listen. */
export async function createApp(config: Config): Promise<NestFastifyApplication> {
  const openFilesMax = openFilesLimit();
  const connectionsMax = connectionsWithin(config.connectionsMax, openFilesMax);
  const adapter = new ApiHttpAdapter({ ...config, connectionsMax });
  const server = adapter.getInstance<FastifyInstance>();
  const options = { bodyParser: false, bufferLogs: true, abortOnError: false };
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.register(config), adapter, options);
  app.useLogger(new NestLog(app.get(Log)));
  if (connectionsMax < config.connectionsMax) {
    const fields = { wanted: config.connectionsMax, connectionsMax, openFilesMax };
    app.get(Log).warn(fields, 'CONNECTIONS_MAX is lowered: the limit of open files leaves no room for more');
  }
  acceptOnlyJson(server, adapter.connections);
  addRequestHooks(
    server,
    { log: app.get(Log), requestLog: app.get(RequestLog), clock: app.get(Clock) },
    app.get(Drain),
  );
  if (isTracing()) traceRequests(server);
  const deadlines = new AnswerDeadlines(server);
  deadlines.answerInTime();
  authorizeBeforeBody(server, app.get(AuthorizeRequest), app.get(LimitRequests));
  const lone = new LoneCompany();
  gateAdmissions(server, adapter.connections, lone);
  gateBodies(server, adapter.connections);
  deadlines.restWhileReading();
  scopeRequests(server);
  if (isTracing()) continueTraces(server);
  nameIgnoredFields(server);
  gateAnswers(server, adapter.connections, lone);
  if (config.compressFromBytes !== null) compressAnswers(server, config.compressFromBytes);
  // Every request runs these before its use case, mostly from memory.
  traceUseCases(app, [Authenticate, AuthorizeRequest]);
  serveDocs(app, config, serveOpenApi(server, config.publicUrl));
  serveMailbox(app, config);
  serveConsole(app, config);
  await app.init();
  await server.ready();
  return app;
}
