// Jest's globalTeardown: ends what services-setup.cjs started.
const { once } = require('node:events');
const fs = require('node:fs');
const tearDownPostgres = require('./postgres-teardown.cjs');

module.exports = async () => {
  const folder = globalThis.counterfoilHostsFolder;
  // From now on, a host that ends is not started again.
  globalThis.counterfoilHostsFolder = undefined;
  await Promise.all(
    [...(globalThis.counterfoilProcesses ?? [])].map((child) => {
      const exited = once(child, 'exit');
      child.disconnect();
      return exited;
    }),
  );
  globalThis.counterfoilCertificate?.remove();
  if (folder) fs.rmSync(folder, { recursive: true, force: true });
  await tearDownPostgres();
};
