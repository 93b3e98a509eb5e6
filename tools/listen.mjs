// `npm run listen`: receives the running service's events over HTTPS, checks their signatures and prints them.
import https from 'node:https';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { holderOf } from './lib/data-dir-lock.mjs';
import {
  DEMO_KEY,
  dataDir,
  isEmbedded,
  isProduction,
  keptDemoKey,
  listenPort,
  read,
} from './lib/environment.mjs';
import { eventId, eventLine } from './lib/event-line.mjs';
import { describe, Fault } from './lib/fault.mjs';
import { ListenerEndpoint } from './lib/listener-endpoint.mjs';
import { localServerCertificate } from './lib/local-tls.mjs';
import { complain, reachableAddress, say } from './lib/report.mjs';
import { Shutdown } from './lib/shutdown.mjs';
import { requireNode } from './lib/workspace.mjs';

const BODY_BYTES_MAX = 1_048_576;
const USAGE = 'usage: npm run listen -- [--key KEY] [--api ADDRESS] [--json]';

function options() {
  try {
    const { values } = parseArgs({
      options: { key: { type: 'string' }, api: { type: 'string' }, json: { type: 'boolean' } },
    });
    return {
      key: values.key ?? read('COUNTERFOIL_API_KEY') ?? keptDemoKey() ?? DEMO_KEY,
      api: values.api ?? apiAddress(),
      json: values.json ?? false,
    };
  } catch (error) {
    throw new Fault(`${error.message.split('.')[0]}. ${USAGE}`);
  }
}

/** The address of the service that runs on the same data folder, or else of one with the same environment. */
function apiAddress() {
  const given = { host: read('HOST') ?? '127.0.0.1', port: read('PORT') ?? '3000' };
  return holderOf(dataDir())?.address ?? reachableAddress(given);
}

/** Only the embedded default in development creates an authority, and lets the service call this machine. */
function whyNoAuthority() {
  if (isProduction()) return 'npm run listen is for development, and NODE_ENV is production';
  if (!isEmbedded()) return 'npm run listen works with the embedded database only, and DATABASE_URL is set';
  return 'start Counterfoil first, with npm start';
}

class Receiver {
  #seen = new Set();
  /** Resolves to the signature check. Pending until registration has returned the secret, since events may come earlier. */
  #faultIn = new Promise((resolve) => (this.judgeBy = resolve));

  constructor(json) {
    this.json = json;
  }

  async open(port) {
    const certificate = await localServerCertificate(dataDir(), whyNoAuthority());
    this.server = https.createServer(certificate, (request, response) => this.#receive(request, response));
    await new Promise((resolve, reject) => {
      this.server.once('error', (error) => reject(explainPort(error, port)));
      this.server.listen(port, '127.0.0.1', resolve);
    });
  }

  close() {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  async #receive(request, response) {
    const chunks = [];
    let size = 0;
    try {
      for await (const chunk of request) {
        size += chunk.length;
        if (size > BODY_BYTES_MAX) return response.writeHead(413, { connection: 'close' }).end();
        chunks.push(chunk);
      }
    } catch {
      return; // The sender disconnected, and will retry.
    }
    if (request.method !== 'POST') return response.writeHead(405).end();
    const body = Buffer.concat(chunks);
    const faultIn = await this.#faultIn;
    const fault = faultIn({ body, headers: request.headers });
    this.#print(body, fault);
    response.writeHead(fault ? 400 : 200, { 'content-type': 'text/plain' }).end(fault ?? 'ok');
  }

  #print(body, fault) {
    const id = eventId(body);
    const repeated = !fault && this.#seen.has(id);
    if (!fault && id !== null) this.#seen.add(id);
    if (!this.json) return say(eventLine(body, { fault, repeated }));
    if (!fault) return say(body.toString('utf8'));
    return console.error(eventLine(body, { fault, repeated }));
  }
}

/** Loads the published verifier; compiles it first if it has changed since `npm start`. */
async function loadVerifier() {
  await build(['libs/webhook-verifier']);
  return createRequire(import.meta.url)('../dist/libs/webhook-verifier/src/index.js').verifyWebhook;
}

/** @returns {(delivery: object) => string | null} the reason why a delivery is invalid; null if it is valid */
function judge(verifyWebhook, secret) {
  return (delivery) => {
    try {
      verifyWebhook({ ...delivery, secret });
      return null;
    } catch (error) {
      return error.reason.replaceAll('_', ' ');
    }
  };
}

function explainPort(error, port) {
  if (error.code !== 'EADDRINUSE') return error;
  return new Fault(
    `port ${port} on 127.0.0.1 is taken, perhaps by another listener: stop it, or set LISTEN_PORT for both this and npm start`,
  );
}

async function listen(shutdown) {
  requireNode();
  const { key, api, json } = options();
  const port = listenPort();
  const note = json ? console.error : say;
  const receiver = new Receiver(json);
  await receiver.open(port);
  shutdown.onStop(() => receiver.close());
  const verifyWebhook = await loadVerifier();
  const endpoint = new ListenerEndpoint({ api, key, url: `https://127.0.0.1:${port}/` });
  shutdown.onStop(() =>
    endpoint.remove().catch((error) => note(`the endpoint stays registered: ${describe(error)}`)),
  );
  receiver.judgeBy(judge(verifyWebhook, await endpoint.register()));
  note(`Listening for the events of ${api} on https://127.0.0.1:${port}/ (Ctrl-C ends it)`);
}

const shutdown = new Shutdown();
shutdown.listen();
await listen(shutdown).catch((error) => shutdown.request(error));
await shutdown.ended;
if (shutdown.fault) complain(shutdown.fault);
await shutdown.run();
process.exit(shutdown.fault || shutdown.failed ? 1 : 0);
