// Jest's globalSetup for tests that start the service: a PostgreSQL, and a process that runs admin commands.
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const path = require('node:path');
const setUpPostgres = require('./postgres-setup.cjs');

module.exports = async () => {
  await setUpPostgres();
  const child = spawn(process.execPath, [path.join(__dirname, 'admin-process.cjs')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // A session of its own: see libs/test-harness/src/side-process.ts.
    detached: true,
  });
  globalThis.counterfoilAdmin = child;
  [process.env.TEST_ADMIN_URL] = await once(child, 'message');
};
