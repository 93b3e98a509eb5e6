// HTTPS receivers that misbehave, each kind on a separate port: below TLS, within TLS and in HTTP. Plain
// JavaScript in a separate process, like the sink. They never wait for the sender.
import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { answerCalls } from './answer-calls.mjs';

const TRICKLE_MS = 500;
const PIECE = Buffer.alloc(64 * 1024, '.');
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

const requests = new Map();
/** The open TCP connections by both ports. TLS runs over them, and only they can be reset. */
const wires = new Map();
const keyOf = ({ localPort, remotePort }) => `${localPort}-${remotePort}`;

function trickle(socket, bytes, everyMs = TRICKLE_MS) {
  const timer = setInterval(() => socket.write(bytes), everyMs);
  socket.once('close', () => clearInterval(timer));
}

/** Sends as fast as the client reads. */
function flood(socket, piece = PIECE) {
  while (!socket.destroyed && socket.write(piece));
  if (!socket.destroyed) socket.once('drain', () => flood(socket, piece));
}

function later(socket, ms, act) {
  const timer = setTimeout(act, ms);
  socket.once('close', () => clearTimeout(timer));
}

const answer = (text) => (socket) => socket.write(text);
const answerAfter = (ms) => (socket) => later(socket, ms, () => socket.write(OK));
const head = (...fields) => ['HTTP/1.1 200 OK', ...fields, '', ''].join('\r\n');
const CHUNKED = head('Transfer-Encoding: chunked');

/** Applied to a new connection. */
const BELOW_TLS = {
  'silent-tcp': () => {},
  'reset-tcp': (wire) => wire.resetAndDestroy(),
  'close-tcp': (wire) => wire.end(),
  'garbage-tcp': (wire) => wire.write('\0'.repeat(64)),
  'flood-tcp': (wire) => flood(wire),
  'plain-http': (wire) => wire.write('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'),
  'slow-handshake': (wire, greet) => later(wire, 8_000, () => greet(wire)),
  'late-handshake': (wire, greet) => later(wire, 2_000, () => greet(wire)),
};

/** Applied to a connection after the TLS handshake. */
const WITHIN_TLS = {
  'silent-tls': () => {},
  'reset-tls': (_, wire) => wire.resetAndDestroy(),
  'close-tls': (socket) => socket.end(),
  'never-reads': (socket) => socket.pause(),
  'answers-unasked': (socket) => socket.write(OK),
  'answers-never-reads': (socket) => socket.pause().write(OK),
};

/** Applied to a connection on which a request has arrived. */
const ON_REQUEST = {
  hang: () => {},
  reset: (_, wire) => wire.resetAndDestroy(),
  close: (socket) => socket.end(),
  'slow-head': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
    trickle(socket, '.');
  },
  'half-head': answer('HTTP/1.1 200'),
  'endless-head': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Long: ');
    flood(socket);
  },
  'slow-body': (socket) => {
    socket.write(head('Content-Length: 100000'));
    trickle(socket, '.');
  },
  'slow-error-body': (socket) => {
    socket.write('HTTP/1.1 500 No\r\nContent-Length: 100000\r\n\r\n');
    trickle(socket, '.');
  },
  'silent-body': answer(head('Content-Length: 100000')),
  'half-body': (socket) => {
    socket.write(`${head('Content-Length: 100')}half`);
    socket.end();
  },
  'reset-body': (socket, wire) =>
    socket.write(`${head('Content-Length: 100')}half`, () => wire.resetAndDestroy()),
  flood: (socket) => {
    socket.write(head('Content-Length: 10000000000'));
    flood(socket);
  },
  'small-chunks': (socket) => {
    socket.write(CHUNKED);
    flood(socket, Buffer.from('1\r\n.\r\n'.repeat(2_000)));
  },
  'bad-chunks': answer(`${CHUNKED}zz\r\n`),
  'interim-drip': (socket) => trickle(socket, 'HTTP/1.1 102 Processing\r\n\r\n'),
  'interim-flood': (socket) => flood(socket, Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(1_000))),
  upgrade: answer('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
  'bad-status': answer('HTTP/9.9 banana\r\n\r\n'),
  http2: answer('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  redirect: answer('HTTP/1.1 302 Found\r\nLocation: https://127.0.0.1/\r\nContent-Length: 0\r\n\r\n'),
  error: answer('HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nno'),
  'error-close': answer('HTTP/1.1 503 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'),
  'ok-close': answer('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok'),
  'two-answers': answer(OK + OK),
  'body-of-204': answer('HTTP/1.1 204 No\r\nContent-Length: 2\r\n\r\nno'),
  'after-5s': answerAfter(5_000),
  'after-9.9s': answerAfter(9_900),
  'after-11s': answerAfter(11_000),
};

function count(kind) {
  requests.set(kind, (requests.get(kind) ?? 0) + 1);
}

/** Starts a receiver of one kind on a separate port. */
function listen(kind, certificate) {
  const tls = createTlsServer({ ...certificate, ALPNProtocols: ['http/1.1'] }, (socket) => {
    socket.setMaxListeners(0).on('error', () => {});
    const wire = wires.get(keyOf(socket));
    if (!wire) return socket.destroy();
    if (kind in WITHIN_TLS) {
      count(kind);
      if (kind !== 'never-reads' && kind !== 'answers-never-reads') socket.resume();
      return WITHIN_TLS[kind](socket, wire);
    }
    socket.on('data', (piece) => {
      // Senders write each request at once, so its head starts a chunk.
      if (!piece.subarray(0, 5).equals(Buffer.from('POST '))) return;
      count(kind);
      (ON_REQUEST[kind] ?? answer(OK))(socket, wire);
    });
  });
  tls.on('tlsClientError', () => {});
  const greet = (wire) => tls.emit('connection', wire);
  const server = createServer((wire) => {
    const key = keyOf(wire);
    wires.set(key, wire);
    wire.once('close', () => wires.delete(key)).on('error', () => {});
    if (!(kind in BELOW_TLS)) return greet(wire);
    count(kind);
    BELOW_TLS[kind](wire, greet);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', 4_096, () => resolve(server.address().port)));
}

answerCalls({
  start: async (certificate) => {
    const kinds = [BELOW_TLS, WITHIN_TLS, ON_REQUEST].flatMap(Object.keys);
    const ports = await Promise.all(kinds.map((kind) => listen(kind, certificate)));
    return Object.fromEntries(kinds.map((kind, index) => [kind, ports[index]]));
  },
  state: () => ({ open: wires.size, requests: Object.fromEntries(requests) }),
});
