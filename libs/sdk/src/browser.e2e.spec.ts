import {
  chromiumProgram,
  DEMO_KEY,
  type Installation,
  installPackages,
  queueStores,
  startService,
  type TestService,
} from '@counterfoil/test-harness';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { AREAS } from './testing/contract-run.ts';

/** Loads the packed package in a page, without a bundler, and runs the contract from there. */

const ROOT = path.resolve(__dirname, '../../..');
const TSC = path.join(ROOT, 'node_modules/typescript7/lib/tsc.js');
const run = promisify(execFile);
const source = readFileSync(path.join(__dirname, 'testing/contract-run.ts'), 'utf8');
const PROGRAM = source.replace("'../index.ts'", "'@counterfoil/sdk'");
const PAGE = `<!doctype html><title>running</title>
  <script type="importmap">{ "imports": { "@counterfoil/sdk": "/page/sdk/index.js" } }</script>
  <script type="module">
    import { runContract } from '/page/contract.mjs';
    const done = (text) => { document.body.textContent = text; };
    runContract({ apiKey: '${DEMO_KEY}', baseUrl: location.origin }).then((areas) => done(areas.join()), (e) => done(String(e)));
  </script><body></body>`;

/** As with the other languages of receivers, a browser is used where it is installed. */
const browsers = chromiumProgram === undefined ? [] : [chromiumProgram];

let installation: Installation;
let service: TestService;
let server: Server;

beforeAll(async () => {
  installation = await installPackages('webhook-verifier', 'sdk');
  service = await startService(queueStores()[0]!);
  const file = await installation.write('contract.mts', PROGRAM);
  const options = ['--module', 'nodenext', '--target', 'es2022', '--types', '', '--outDir', 'built'];
  await run(process.execPath, [TSC, ...options, file], { cwd: installation.folder });
  server = serve();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}, 180_000);

afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  await service?.stop();
  await installation?.remove();
});

/** Serves the page, and passes everything else on to the service, because a browser asks one origin only. */
function serve(): Server {
  const sdk = path.join(installation.folder, 'node_modules/@counterfoil/sdk/dist/esm');
  return createServer((incoming, response) => {
    const { url = '', method = '', headers } = incoming;
    if (url === '/page/') return void response.setHeader('content-type', 'text/html').end(PAGE);
    if (url.startsWith('/page/')) {
      const file = url.startsWith('/page/sdk/')
        ? path.join(sdk, path.basename(url))
        : path.join(installation.folder, 'built/contract.mjs');
      return void response.setHeader('content-type', 'text/javascript').end(readFileSync(file));
    }
    const passed = request(service.url + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(passed);
  });
}

describe('the packed SDK in a page', () => {
  it(`keeps the contract in ${browsers.join(' and ') || 'no browser, because none is installed'}`, async () => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/page/`;
    for (const browser of browsers) {
      const headless = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
      const args = [...headless, '--virtual-time-budget=60000', '--dump-dom', address];
      const { stdout } = await run(browser, args, { timeout: 120_000 });
      expect(stdout).toContain(`<body>${Object.keys(AREAS).join()}</body>`);
    }
  }, 150_000);
});
