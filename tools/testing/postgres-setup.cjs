// Jest's globalSetup where tests need PostgreSQL: the one that `npm test` has started, else one of this run's own,
// so that `npx nx integration documents` works alone.
module.exports = async () => {
  if (process.env.TEST_DATABASE_URL) return;
  const { startTemporaryPostgres } = await import('./temporary-postgres.mjs');
  const server = await startTemporaryPostgres();
  process.env.TEST_DATABASE_URL = server.url;
  globalThis.counterfoilPostgres = server;
};
