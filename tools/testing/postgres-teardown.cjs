// Jest's globalTeardown: stops the PostgreSQL that postgres-setup.cjs started, if any.
module.exports = async () => {
  await globalThis.counterfoilPostgres?.stop();
};
