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
  const children = new Set();
  globalThis.counterfoilProcesses = children;
  /** @returns {Promise<{ url: string, ended: Promise<unknown> }>} when the process listens */
  const startProcess = async (program, { flags = [], args = [], output = 'ignore', env = {} } = {}) => {
    const child = spawn(process.execPath, [...flags, path.join(__dirname, program), ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', output, output === 'ignore' ? 'inherit' : output, 'ipc'],
      // A session of its own: see libs/test-harness/src/side-process.ts.
      detached: true,
    });
    children.add(child);
    const ended = once(child, 'exit').then(() => children.delete(child));
    const [url] = await Promise.race([once(child, 'message'), ended.then(() => [])]);
    if (!url) throw new Error(`${program} ended at its start`);
    return { url, ended };
  };
  process.env.TEST_ADMIN_URL = (await startProcess('admin-process.cjs')).url;
  if (process.env.TEST_KIND !== 'e2e') return;

  const certificate = await selfSigned();
  globalThis.counterfoilCertificate = certificate;
  process.env.TEST_CERTIFICATE = certificate.certificateFile;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-hosts-'));
  globalThis.counterfoilHostsFolder = folder;
  /** Starts a host, and another one at the same address if it ends. */
  const startHost = async (app, log, port) => {
    const output = fs.openSync(log, 'a');
    const env = { NODE_EXTRA_CA_CERTS: certificate.certificateFile };
    const options = { flags: FLAGS[app], args: [app, port], output, env };
    const { url, ended } = await startProcess('service-host.cjs', options);
    fs.closeSync(output);
    void ended
      .then(() => globalThis.counterfoilHostsFolder && startHost(app, log, new URL(url).port))
      .catch(console.error);
    return { url, log };
  };
  // One of each for each worker of Jest, so that a test file has them for itself.
  const startHosts = (app) =>
    Promise.all(
      Array.from({ length: maxWorkers }, (_, index) =>
        startHost(app, path.join(folder, `${app}-${index + 1}.log`), '0'),
      ),
    );
  const [api, worker] = await Promise.all([startHosts('api'), startHosts('worker')]);
  process.env.TEST_HOSTS = JSON.stringify({ api, worker });
};
