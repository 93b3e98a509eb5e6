// The baseline of the benches of lists: serves one page with nothing but a statement, a pool and node:http.
import http from 'node:http';
import pg from 'pg';
import { answerCalls } from './answer-calls.mjs';

/** @param {{ databaseUrl: string, statement: { name: string, text: string, values: unknown[] } }} input */
function start({ databaseUrl, statement }) {
  // The same number of connections as in the API.
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
  const server = http.createServer((_request, response) => {
    pool.query(statement).then(
      ({ rows }) => {
        const body = JSON.stringify({ data: rows });
        response.setHeader('content-type', 'application/json; charset=utf-8');
        response.setHeader('content-length', Buffer.byteLength(body));
        response.end(body);
      },
      () => response.writeHead(500).end(),
    );
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));
}

answerCalls({ start });
