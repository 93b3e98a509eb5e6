// For processes that run compiled code for tests: loads it, and answers the calls of tests.
const http = require('node:http');
const { createRequire } = require('node:module');
const path = require('node:path');

const DIST = path.resolve(__dirname, '../../dist');

/** Loads a module of the build. Call it with the first call of a test, because the build may follow the start. */
exports.requireBuilt = (module) => {
  // As the programs in dist do: the copies of packages there are others than those in node_modules.
  createRequire(path.join(DIST, 'apps/api/src/main.js'))('reflect-metadata');
  return require(path.join(DIST, module));
};

/**
 * Tells the parent the address, and answers each POST with what `act` returns. Ends with the parent.
 *
 * @param {(call: any, path: string) => Promise<unknown>} act takes the JSON of the body
 * @param {{ port?: number, failed?: () => void }} options `failed` is called after an error has been answered
 */
exports.serveCalls = (act, { port = 0, failed = () => undefined } = {}) => {
  const answer = async (request, response) => {
    try {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const call = JSON.parse(Buffer.concat(chunks).toString());
      response.end(JSON.stringify((await act(call, request.url)) ?? null));
    } catch (error) {
      response.writeHead(500).end(error.stack, failed);
    }
  };
  const server = http.createServer((request, response) => void answer(request, response));
  server.listen(port, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`));
  process.once('disconnect', () => process.exit(0));
};
