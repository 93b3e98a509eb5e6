// Jest's globalTeardown: ends what postgres-setup.cjs has started, and nothing else.
module.exports = async () => {
  await globalThis.counterfoilPostgres?.stop();
};
