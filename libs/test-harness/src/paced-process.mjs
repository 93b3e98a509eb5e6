// Callers that send at a fixed pace whether or not they get answers, in a separate process. Callers that wait
// for an answer before the next call would send least while the service is slowest, and hide that.
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerCalls } from './answer-calls.mjs';

/** @returns {Promise<{ status: number | string, firstByteMs: number }>} */
function send(target, { method, path, headers, body }, timeoutMs) {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve) => {
    const started = performance.now();
    let firstByteMs = timeoutMs;
    const request = http.request({ ...target, method, path, headers: { ...json, ...length, ...headers } });
    const timer = setTimeout(() => request.destroy(new Error('not answered in time')), timeoutMs);
    const settle = (status) => {
      clearTimeout(timer);
      resolve({ status, firstByteMs, reused: request.reusedSocket });
    };
    request.on('error', (error) => settle(error.code ?? error.message));
    request.on('response', (response) => {
      firstByteMs = performance.now() - started;
      response.resume();
      response.on('error', () => settle('broken off'));
      response.on('end', () => settle(response.statusCode));
    });
    request.end(body);
  });
}

/**
 * Retries like HTTP clients do: if the server closed a kept-alive connection at the same moment, the read is
 * sent again.
 */
async function sendOnce(target, call, timeoutMs) {
  const answered = await send(target, call, timeoutMs);
  const wasClosed = answered.reused && answered.status === 'ECONNRESET' && call.method === 'GET';
  return wasClosed ? send(target, call, timeoutMs) : answered;
}

async function run({ url, calls, everyMs, durationMs, timeoutMs }) {
  const { hostname, port } = new URL(url);
  const agent = new http.Agent({ keepAlive: true });
  const target = { hostname, port, agent };
  const tookMs = [];
  const firstByteMs = [];
  const failed = {};
  const call = async (one, number) => {
    const started = performance.now();
    const answered = await sendOnce(target, one, timeoutMs);
    const isAnswered = answered.status === 200 || answered.status === 201;
    if (!isAnswered) failed[answered.status] = (failed[answered.status] ?? 0) + 1;
    // A refusal counts like a missing answer, because the caller was not served.
    tookMs[number] = isAnswered ? performance.now() - started : timeoutMs;
    firstByteMs[number] = isAnswered ? answered.firstByteMs : timeoutMs;
  };
  const under = [];
  const began = performance.now();
  for (let sent = 0; sent * everyMs < durationMs; sent++) {
    await sleep(Math.max(0, began + sent * everyMs - performance.now()));
    under.push(call(calls[sent % calls.length], sent));
  }
  await Promise.all(under);
  agent.destroy();
  return { tookMs, firstByteMs, failed };
}

answerCalls({ run });
