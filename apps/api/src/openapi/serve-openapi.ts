import fs from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { ROOT } from '@counterfoil/lifecycle';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { KeptAnswer } from '../http/kept-answer';

const COMMITTED = path.join(ROOT, 'docs/openapi.json');
/** The default of PUBLIC_URL, which the file names as the server, and in samples and recorded examples. */
export const COMMITTED_URL = 'http://127.0.0.1:3000';

/**
 * Serves the API's description at /openapi.json and /openapi.yaml: `docs/openapi.json` with the URL of this
 * installation. To build it from the controllers would occupy the event loop for a quarter of a second.
 *
 * @returns a function that returns the description
 */
export function serveOpenApi(server: FastifyInstance, publicUrl: string): () => OpenAPIObject {
  let description: OpenAPIObject | undefined;
  // Read at the first request for it, because it would delay the start.
  const read = () => (description ??= readDescription(publicUrl));
  const json = () => ({ type: 'application/json; charset=utf-8', content: JSON.stringify(read()) });
  const yaml = async () => ({ type: 'text/yaml; charset=utf-8', content: await asYaml(read()) });
  new KeptAnswer(json).serve(server, '/openapi.json');
  new KeptAnswer(yaml).serve(server, '/openapi.yaml');
  return read;
}

function readDescription(publicUrl: string): OpenAPIObject {
  const committed = fs.readFileSync(COMMITTED, 'utf8');
  return JSON.parse(committed.replaceAll(COMMITTED_URL, () => publicUrl)) as OpenAPIObject;
}

/** Converts in a thread, because that takes most of a second. */
function asYaml(description: OpenAPIObject): Promise<string> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(path.join(__dirname, 'yaml-thread.js'), { workerData: description });
    thread.once('message', resolve).once('error', reject);
  });
}
