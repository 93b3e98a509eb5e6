// Jest's globalTeardown: ends what services-setup.cjs started.
const { once } = require('node:events');
const tearDownPostgres = require('./postgres-teardown.cjs');

module.exports = async () => {
  const child = globalThis.counterfoilAdmin;
  if (child?.connected) {
    const exited = once(child, 'exit');
    child.disconnect();
    await exited;
  }
  await tearDownPostgres();
};
