// A collector that reads nothing, for benches: it takes as little of the processors as possible.
import http from 'node:http';
import { answerCalls } from './answer-calls.mjs';

let bytes = 0;

function start() {
  const server = http.createServer((request, response) => {
    request.on('data', (chunk) => (bytes += chunk.length));
    request.on('end', () => response.writeHead(200, { 'content-length': 0 }).end());
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));
}

answerCalls({ start, bytes: () => bytes });
