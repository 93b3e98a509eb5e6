// Jest's globalSetup for tests that need PostgreSQL. Starts one, unless `npm test` has, so that
// `npx nx integration documents` works by itself.
module.exports = async () => {
  if (process.env.TEST_DATABASE_URL) return;
  const { startTemporaryPostgres } = await import('./temporary-postgres.mjs');
  const server = await startTemporaryPostgres();
  process.env.TEST_DATABASE_URL = server.url;
  globalThis.counterfoilPostgres = server;
};
