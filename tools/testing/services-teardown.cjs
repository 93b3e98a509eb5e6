// Jest's globalTeardown: ends what services-setup.cjs started.
const { once } = require('node:events');
const fs = require('node:fs');
const tearDownPostgres = require('./postgres-teardown.cjs');

module.exports = async () => {
  const running = (globalThis.counterfoilProcesses ?? []).filter(({ connected }) => connected);
  await Promise.all(
    running.map((child) => {
      const exited = once(child, 'exit');
      child.disconnect();
      return exited;
    }),
  );
  globalThis.counterfoilCertificate?.remove();
  const folder = globalThis.counterfoilHostsFolder;
  if (folder) fs.rmSync(folder, { recursive: true, force: true });
  await tearDownPostgres();
};
