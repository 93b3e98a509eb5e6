// An HTTPS receiver with many endpoints, distinguished by path, each with a mood of its own. Plain JavaScript
// in a separate process: it does not slow down the measured processes, and its times are exact while they are
// busy.
import { createServer } from 'node:https';
import { answerCalls } from './answer-calls.mjs';

const TRICKLE_MS = 500;
const FLOOD_BYTES = 1024 ** 3;
const FLOOD_PIECE = Buffer.alloc(64 * 1024, '.');
const BATCH_MAX = 5_000;
/** Longer than any trial, so that only the sender closes connections. */
const KEEP_ALIVE_MS = 3_600_000;

const moods = new Map();
const tallies = new Map();
/** The TCP connections under open TLS connections, by remote port. Only they can be reset. */
const wires = new Map();
let keepsContent = false;
let ended = [];
let connections = 0;
let server = null;

const now = () => performance.timeOrigin + performance.now();

/** The reaction of each mood to a request whose head was read. */
const REACTIONS = {
  ok: (_, response) => response.end('ok'),
  fail: (_, response, { every = 1 }, { requests }) => {
    if (requests % every !== 0) return response.end('ok');
    response.writeHead(500).end('no');
  },
  slow: (_, response, { afterMs }) => setTimeout(() => response.end('ok'), afterMs),
  hang: () => {},
  drip: (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    trickle(response, () => response.write('.'));
  },
  // Writes to the socket, because `response` would not send a part of a head.
  'slow-head': (request, response) => {
    request.socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
    trickle(response, () => request.socket.write('.'));
  },
  flood: (_, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    flood(response, FLOOD_BYTES);
  },
  reset: (request) => wires.get(request.socket.remotePort)?.resetAndDestroy(),
};

function trickle(response, write) {
  const timer = setInterval(write, TRICKLE_MS);
  response.once('close', () => clearInterval(timer));
}

/** Sends as fast as the client reads, with one chunk in memory. */
function flood(response, left) {
  while (left > 0 && !response.destroyed) {
    left -= FLOOD_PIECE.length;
    if (!response.write(FLOOD_PIECE)) return response.once('drain', () => flood(response, left));
  }
  response.end();
}

function tallyOf(path) {
  if (!tallies.has(path)) tallies.set(path, { requests: 0, inFlight: 0, maxInFlight: 0 });
  return tallies.get(path);
}

function receive(request, response) {
  const at = now();
  const path = request.url;
  const tally = tallyOf(path);
  tally.requests += 1;
  tally.inFlight += 1;
  tally.maxInFlight = Math.max(tally.maxInFlight, tally.inFlight);
  const exchange = { path, eventId: request.headers['service-event-id'] ?? '', at };
  if (keepsContent) keepContent(request, exchange);
  else request.resume();
  // Emitted in any case, whether the answer was finished or the connection broke.
  response.once('close', () => {
    tally.inFlight -= 1;
    exchange.endedAt = now();
    exchange.status = response.headersSent ? response.statusCode : null;
    exchange.complete = response.writableFinished;
    ended.push(exchange);
  });
  const mood = moods.get(path) ?? { kind: 'ok' };
  REACTIONS[mood.kind](request, response, mood, tally);
}

function keepContent(request, exchange) {
  exchange.headers = request.headers;
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => (exchange.body = Buffer.concat(pieces).toString('utf8')));
}

function follow(wire) {
  connections += 1;
  const port = wire.remotePort;
  wires.set(port, wire);
  wire.once('close', () => {
    if (wires.get(port) === wire) wires.delete(port);
  });
}

answerCalls({
  start: ({ cert, key, content }) => {
    keepsContent = content;
    server = createServer({ cert, key, keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 }, receive);
    server.on('connection', follow);
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve(server.address().port));
    });
  },
  setMood: (path, mood) => {
    if (!(mood.kind in REACTIONS)) throw new Error(`unknown mood ${mood.kind}`);
    moods.set(path, mood);
  },
  take: () => {
    const batch = ended.slice(0, BATCH_MAX);
    ended = ended.slice(BATCH_MAX);
    return { batch, more: ended.length > 0 };
  },
  state: () => ({ connections, open: wires.size, paths: Object.fromEntries(tallies) }),
});
