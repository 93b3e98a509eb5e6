import fs from 'node:fs';
import path from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { KeptAnswer } from '../http/kept-answer';
import { markup } from '@counterfoil/kernel';
import { REFERENCE_HEADERS } from '../http/security-headers';
import { type Addresses, bar, BAR_STYLE, page } from './page-frame';
import { PAGE_SCRIPT, referenceConfiguration } from './reference-configuration';
import { INDEX_STYLE, referenceIndex } from './reference-index';

const SCRIPT = 'text/javascript; charset=utf-8';
const BUNDLE = '/docs/scalar.js';
const START = '/docs/reference.js';

/** Serves the reference of the API: a page, Scalar's bundle, and the script that starts it. */
export function serveReference(
  server: FastifyInstance,
  addresses: Addresses,
  describe: () => OpenAPIObject,
): void {
  const bundle = new KeptAnswer(() => ({ type: SCRIPT, content: scalarBundle() }));
  const start = new KeptAnswer(() => ({ type: SCRIPT, content: startScript(addresses) }));
  const shell = new KeptAnswer(async () => {
    const scripts = [
      `${addresses.of(BUNDLE)}?v=${await bundle.version()}`,
      `${addresses.of(START)}?v=${await start.version()}`,
    ];
    return { type: 'text/html; charset=utf-8', content: referencePage(addresses, describe(), scripts) };
  });
  bundle.serve(server, BUNDLE);
  start.serve(server, START);
  shell.serve(server, '/docs', REFERENCE_HEADERS);
}

/** Scalar's bundle for browsers, which contains everything that the page needs. */
function scalarBundle(): Buffer {
  const entry = require.resolve('@scalar/fastify-api-reference');
  return fs.readFileSync(path.join(path.dirname(entry), 'js/standalone.js'));
}

function startScript(addresses: Addresses): string {
  const configuration = JSON.stringify(referenceConfiguration(addresses.of('/openapi.json')));
  return `${PAGE_SCRIPT}Scalar.createApiReference('#reference', ${configuration});\n`;
}

function referencePage(addresses: Addresses, description: OpenAPIObject, scripts: readonly string[]): string {
  return page({
    title: 'API reference · Counterfoil',
    style: markup`${BAR_STYLE}${INDEX_STYLE}`,
    // The browser gets the description while it compiles the bundle, which would ask for it only then.
    head: markup`<link rel="preload" href="${addresses.of('/openapi.json')}" as="fetch" crossorigin>`,
    body: [
      bar(addresses, '/docs'),
      referenceIndex(description),
      markup`<div id="reference"></div>
<noscript><p>The reference needs JavaScript. <a href="${addresses.of('/openapi.json')}">openapi.json</a> contains the same.</p></noscript>
`,
      scripts.map((address) => markup`<script src="${address}"></script>\n`),
    ],
  });
}
