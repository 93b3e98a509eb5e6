import type { Config } from '@counterfoil/config';
import { heavyTurn } from '@counterfoil/kernel';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import { ErrorBody } from '../http/error-body';
import { PUBLIC } from '../http/route.decorators';
import { DOCS_HEADERS } from '../http/security-headers';
import { finishOpenApi } from './finish-openapi';
import { KeptAnswers } from './kept-answers';

/** Serves the API's description at /openapi.json and a page to read it at /docs, with everything it needs from here. */
export function serveOpenApi(app: NestFastifyApplication, config: Config): void {
  openToEverybody(app.getHttpAdapter().getInstance());
  // Built at the first request for it: nobody should wait for it at the start.
  let document: OpenAPIObject | undefined;
  const build = () => (document ??= buildOpenApi(app, config.publicUrl));
  SwaggerModule.setup('docs', app, build, {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Counterfoil API',
    // Without the first, the page would ask a validator on the internet about our description.
    swaggerOptions: { validatorUrl: null, displayRequestDuration: true },
  });
}

const DESCRIPTION = /^\/(docs|openapi\.json|openapi\.yaml)(\/|$)/;
/** The route of the framework that serves every file of a folder. */
const ANY_FILE = '/docs/*';

/** The routes of the description are the framework's, so no decorator can say that they need no key. */
function openToEverybody(server: FastifyInstance): void {
  const kept = new KeptAnswers();
  server.addHook('onRoute', (route) => {
    if (!DESCRIPTION.test(route.url)) return;
    route.config = { ...route.config, access: PUBLIC, headers: DOCS_HEADERS };
    route.onRequest = [takeTurn, kept.repeat, ...(route.url === ANY_FILE ? [refuseOthers] : [])];
    route.onSend = kept.keep;
  });
}

/**
 * A stranger may send many requests ahead on each of many connections, and Node accepts one connection in each turn of
 * the event loop. Served at once, the requests of a connection would make that turn long for all who connect.
 */
const takeTurn: onRequestAsyncHookHandler = ({ raw }) => heavyTurn(null, () => raw.socket.destroyed);

/** The files that the page needs are among the kept answers: no other file of the folder is served. */
const refuseOthers: onRequestHookHandler = (_request, reply) => void reply.callNotFound();

export function buildOpenApi(app: NestFastifyApplication, publicUrl: string): OpenAPIObject {
  const base = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Counterfoil')
    .setDescription('Back-office service: documents, clients and vendors, signed webhooks.')
    .setVersion('1')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(publicUrl)
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key: sk_…' }, 'apiKey')
    .addSecurityRequirements('apiKey')
    .build();
  const options = {
    extraModels: [ErrorBody],
    operationIdFactory: (controller: string, method: string) =>
      `${controller.replace('Controller', '')}.${method}`,
  };
  return finishOpenApi(SwaggerModule.createDocument(app, base, options));
}
