import type { Config } from '@counterfoil/config';
import { releaseVersion } from '@counterfoil/lifecycle';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { KeptAnswer } from '../http/kept-answer';
import { prefersPage } from '../http/prefers-page';
import { PUBLIC } from '../http/route.decorators';
import { GUIDE_HEADERS, Guides } from './guides';
import { landing, LANDING_HEADERS, landingPage } from './landing-page';
import { Addresses } from './page-frame';
import { serveReference } from './reference';

const HTML = 'text/html; charset=utf-8';

/** Serves what developers read: the landing page, the reference of the API, and the guides. None needs a key. */
export function serveDocs(app: NestFastifyApplication, config: Config, describe: () => OpenAPIObject): void {
  const server: FastifyInstance = app.getHttpAdapter().getInstance();
  const addresses = new Addresses(config.publicUrl);
  serveLanding(server, addresses, config);
  serveReference(server, addresses, describe);
  serveGuides(server, addresses);
}

function serveLanding(server: FastifyInstance, addresses: Addresses, config: Config): void {
  const version = releaseVersion();
  const body = landing(config, version);
  const html = landingPage(addresses, version, config.console.isServed);
  server.get('/', { config: { access: PUBLIC } }, (request, reply) => {
    void reply.header('vary', 'accept');
    if (!prefersPage(request.headers.accept)) return reply.send(body);
    return reply.headers(LANDING_HEADERS).send(html);
  });
}

function serveGuides(server: FastifyInstance, addresses: Addresses): void {
  const guides = new Guides(addresses);
  for (const page of guides.pages) {
    const kept = new KeptAnswer(() => ({ type: HTML, content: guides.write(page) }));
    kept.serve(server, `/docs/guides/${page}`, GUIDE_HEADERS);
  }
  for (const picture of guides.pictures) {
    const kept = new KeptAnswer(() => guides.picture(picture));
    kept.serve(server, `/docs/guides/${picture}`);
  }
  redirect(server, '/docs/guides', addresses.guide('tour'));
  redirect(server, '/docs/', addresses.of('/docs'));
}

function redirect(server: FastifyInstance, path: string, target: string): void {
  server.get(path, { config: { access: PUBLIC } }, (_request, reply) => reply.redirect(target, 308));
}
