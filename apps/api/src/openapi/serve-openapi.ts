import type { Config } from '@counterfoil/config';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { stringify } from 'yaml';
import { ErrorBody } from '../http/error-body';
import { KeptAnswer } from '../http/kept-answer';
import { describeApi } from './describe-api';
import { finishOpenApi } from './finish-openapi';

/**
 * Serves the API's description at /openapi.json and /openapi.yaml.
 *
 * @returns a function that returns the description
 */
export function serveOpenApi(app: NestFastifyApplication, config: Config): () => OpenAPIObject {
  const server: FastifyInstance = app.getHttpAdapter().getInstance();
  // Built at the first request for it, because it would delay the start.
  let document: OpenAPIObject | undefined;
  const build = () => (document ??= buildOpenApi(app, config.publicUrl));
  const json = () => ({ type: 'application/json; charset=utf-8', content: JSON.stringify(build()) });
  const yaml = () => ({ type: 'text/yaml; charset=utf-8', content: stringify(build(), AS_WRITTEN) });
  new KeptAnswer(json).serve(server, '/openapi.json');
  new KeptAnswer(yaml).serve(server, '/openapi.yaml');
  return build;
}

/** Writes what occurs twice twice, which readers of OpenAPI expect. */
const AS_WRITTEN = { aliasDuplicateObjects: false } as const;

export function buildOpenApi(app: NestFastifyApplication, publicUrl: string): OpenAPIObject {
  const base = describeApi(publicUrl);
  return finishOpenApi(SwaggerModule.createDocument(app, base, { extraModels: [ErrorBody] }));
}
