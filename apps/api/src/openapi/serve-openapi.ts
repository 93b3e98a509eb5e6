import type { Config } from '@counterfoil/config';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ErrorBody } from '../http/error-body';
import { finishOpenApi } from './finish-openapi';

/** Serves the API's description at /openapi.json and a page to read it at /docs, with everything it needs from here. */
export function serveOpenApi(app: NestFastifyApplication, config: Config): void {
  // Built at the first request for it: nobody should wait for it at the start.
  let document: OpenAPIObject | undefined;
  const build = () => (document ??= buildOpenApi(app, config.publicUrl));
  SwaggerModule.setup('docs', app, build, {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Counterfoil API',
    // Without the first, the page would ask a validator on the internet about our description.
    swaggerOptions: { validatorUrl: null, persistAuthorization: true, displayRequestDuration: true },
  });
}

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
