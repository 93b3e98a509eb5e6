// The baseline of benches: answers calls with nothing but their statements, a pool and node:http.
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import pg from 'pg';
import { answerCalls } from './answer-calls.mjs';

/** The same number of connections as in the API. */
const CONNECTIONS = 20;
const PLACEHOLDER = /\{(\w+)\}/g;

/** @param {{ databaseUrl: string, routes: Record<string, import('./plain-server').PlainRoute> }} input */
function start({ databaseUrl, routes }) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  const server = http.createServer((request, response) => {
    const { statements, status = 200 } = routes[request.url];
    request.resume();
    request.once('end', () => {
      answerOf(pool, statements).then(
        (rows) => {
          const body = JSON.stringify({ data: rows });
          response.writeHead(status, {
            'content-type': 'application/json; charset=utf-8',
            'content-length': Buffer.byteLength(body),
          });
          response.end(body);
        },
        (error) => response.writeHead(500, { 'content-length': 0 }).end(void console.error(error)),
      );
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));
}

/** Several statements of one call use one connection, because they may be a transaction. */
async function answerOf(pool, statements) {
  if (statements.length < 2) return statements.length === 0 ? [] : (await pool.query(statements[0])).rows;
  const client = await pool.connect();
  try {
    return await answerOn(client, statements);
  } finally {
    client.release();
  }
}

async function answerOn(client, statements) {
  const known = {};
  let answer = [];
  for (const { values, ...statement } of statements) {
    const { rows = [] } = await client.query({
      ...statement,
      values: values.map((value) => filled(value, known)),
    });
    if (rows.length > 0) answer = rows;
    Object.assign(known, rows[0]);
  }
  return answer;
}

function filled(value, known) {
  if (Array.isArray(value)) return value.map((each) => filled(each, known));
  if (typeof value !== 'string') return value;
  return value.replace(PLACEHOLDER, (found, name) => {
    if (name === 'uuid') return randomUUID();
    return known[name] === undefined ? found : String(known[name]);
  });
}

answerCalls({ start });
