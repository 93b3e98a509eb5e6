// Jest's globalSetup for tests that start the service: a PostgreSQL, a process that runs admin commands, and, for
// end-to-end tests, the hosts of their services. Timed tests, trials and benches measure real processes.
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { selfSigned } = require('../../libs/test-harness/src/self-signed.ts');
const setUpPostgres = require('./postgres-setup.cjs');

/** Node options, as under `npm start`. */
const FLAGS = { api: ['--max-semi-space-size=32'], worker: [] };

module.exports = async ({ maxWorkers }) => {
  await setUpPostgres();
  const children = [];
  globalThis.counterfoilProcesses = children;
  const startProcess = async (program, { flags = [], args = [], output = 'ignore', env = {} } = {}) => {
    const child = spawn(process.execPath, [...flags, path.join(__dirname, program), ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', output, 'inherit', 'ipc'],
      // A session of its own: see libs/test-harness/src/side-process.ts.
      detached: true,
    });
    children.push(child);
    const [url] = await once(child, 'message');
    return url;
  };
  process.env.TEST_ADMIN_URL = await startProcess('admin-process.cjs');
  if (process.env.TEST_KIND !== 'e2e') return;

  const certificate = await selfSigned();
  globalThis.counterfoilCertificate = certificate;
  process.env.TEST_CERTIFICATE = certificate.certificateFile;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-hosts-'));
  globalThis.counterfoilHostsFolder = folder;
  const startHost = async (app, number) => {
    const log = path.join(folder, `${app}-${number}.log`);
    const output = fs.openSync(log, 'a');
    const env = { NODE_EXTRA_CA_CERTS: certificate.certificateFile };
    const url = await startProcess('service-host.cjs', { flags: FLAGS[app], args: [app], output, env });
    fs.closeSync(output);
    return { url, log };
  };
  // One of each for each worker of Jest, so that a test file has them for itself.
  const startHosts = (app) =>
    Promise.all(Array.from({ length: maxWorkers }, (_, index) => startHost(app, index + 1)));
  const [api, worker] = await Promise.all([startHosts('api'), startHosts('worker')]);
  process.env.TEST_HOSTS = JSON.stringify({ api, worker });
};
