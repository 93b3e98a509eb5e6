import type { Config } from '@counterfoil/config';
import { heavyTurn } from '@counterfoil/kernel';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import { ErrorBody } from '../http/error-body';
import { PUBLIC } from '../http/route.decorators';
import { DOCS_HEADERS } from '../http/security-headers';
import { describeApi } from './describe-api';
import { finishOpenApi } from './finish-openapi';
import { KeptAnswers } from './kept-answers';

/** Serves the API's description at /openapi.json, and at /docs a page for it that loads nothing from other hosts. */
export function serveOpenApi(app: NestFastifyApplication, config: Config): void {
  openToEverybody(app.getHttpAdapter().getInstance());
  // Built at the first request for it, because it would delay the start.
  let document: OpenAPIObject | undefined;
  const build = () => (document ??= buildOpenApi(app, config.publicUrl));
  SwaggerModule.setup('docs', app, build, {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Counterfoil API',
    // `validatorUrl`: by default the page sends the description to a validator on the internet.
    swaggerOptions: { validatorUrl: null, displayRequestDuration: true },
  });
}

const DESCRIPTION = /^\/(docs|openapi\.json|openapi\.yaml)(\/|$)/;
/** The route of the framework that serves every file of a folder. */
const ANY_FILE = '/docs/*';

/** Makes the routes of the description public. They belong to the framework, so no decorator can do this. */
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
 * Serves one such request per turn. Node accepts one new connection in each iteration of the event loop, so callers
 * that pipeline many requests could make the iterations long, and delay everyone who connects.
 */
const takeTurn: onRequestAsyncHookHandler = ({ raw }) => heavyTurn(null, () => raw.socket.destroyed);

/** Serves no file of the folder except those that the page needs, which are kept answers. */
const refuseOthers: onRequestHookHandler = (_request, reply) => void reply.callNotFound();

export function buildOpenApi(app: NestFastifyApplication, publicUrl: string): OpenAPIObject {
  const base = describeApi(publicUrl);
  return finishOpenApi(SwaggerModule.createDocument(app, base, { extraModels: [ErrorBody] }));
}
