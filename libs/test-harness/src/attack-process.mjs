// Callers that try to exhaust a service. They run in a separate process with a low priority, so that they
// leave the processors to the service: the figures should show how the service divides its resources, not
// that the machine is small.
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerCalls } from './answer-calls.mjs';

const NICE = 10;
const REOPEN_AFTER_MS = 1_000;
/** Keeps the backlog of the listener from overflowing. */
const OPENED_AT_ONCE = 100;

giveWay();

/** With autogroup, Linux divides the processors between sessions first, so a process alone has no say. */
function giveWay() {
  os.setPriority(NICE);
  try {
    fs.writeFileSync('/proc/self/autogroup', String(NICE));
  } catch {
    // There is no autogroup, or another process has just set its own.
  }
}

/** Spreads calls evenly: each takes the next time slot and waits for it. */
function paceOf(perSecond) {
  const stepMs = 1_000 / perSecond;
  let next = performance.now();
  return async () => {
    const now = performance.now();
    next = Math.max(next + stepMs, now - stepMs);
    if (next > now) await sleep(next - now);
  };
}

/** Returns the status of a call, or the code of the error that ended it. */
function call(target, { method, path, headers, body, bytes, chunked = false }, patienceMs) {
  const content = bytes === undefined ? body : Buffer.alloc(bytes, ' ');
  const length = content === undefined || chunked ? {} : { 'content-length': Buffer.byteLength(content) };
  return new Promise((resolve) => {
    const request = http.request({ ...target, method, path, headers: { ...length, ...headers } });
    const timer = setTimeout(() => request.destroy(new Error('given up')), patienceMs);
    request.on('close', () => clearTimeout(timer));
    request.on('error', (error) => resolve(error.code ?? error.message));
    request.on('response', (response) => {
      response.resume();
      response.on('error', () => resolve('broken off'));
      response.on('end', () => resolve(String(response.statusCode)));
    });
    if (chunked) request.write(content);
    request.end(chunked ? undefined : content);
  });
}

/**
 * Sends the calls in turn from `callers` callers until the time is over, and then aborts the running calls.
 */
async function flood({ url, from, calls, callers, perSecond, patienceMs = 60_000, durationMs }) {
  const { hostname, port } = new URL(url);
  const agent = new http.Agent({ keepAlive: true, maxSockets: callers });
  const target = { hostname, port, localAddress: from, agent };
  const pace = paceOf(perSecond);
  const outcomes = {};
  const deadline = performance.now() + durationMs;
  let sent = 0;
  const caller = async () => {
    while (performance.now() < deadline) {
      await pace();
      if (performance.now() >= deadline) return;
      const outcome = await call(target, calls[sent++ % calls.length], patienceMs);
      if (performance.now() < deadline) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
  };
  const callersDone = Promise.all(Array.from({ length: callers }, caller));
  await sleep(durationMs);
  agent.destroy();
  await callersDone;
  return { sent, outcomes };
}

/** Opens a connection that sends some bytes and then stalls. It reads only if `reads` is set. */
function open({ hostname, port, from, text, bytes, reads, everyMs }, tally) {
  const socket = net.connect({ host: hostname, port, localAddress: from, noDelay: true });
  if (!reads) socket.pause();
  else socket.once('data', (chunk) => count(tally.outcomes, chunk.toString('latin1', 9, 12)));
  socket.once('connect', () => {
    tally.opened += 1;
    socket.write(text);
    if (bytes > 0) socket.write(Buffer.alloc(bytes, ' '));
  });
  socket.on('error', (error) => count(tally.outcomes, error.code ?? error.message));
  if (everyMs !== undefined) {
    const timer = setInterval(() => socket.writable && socket.write(' '), everyMs);
    socket.once('close', () => clearInterval(timer));
  }
  return socket;
}

const count = (outcomes, name) => (outcomes[name] = (outcomes[name] ?? 0) + 1);

/**
 * Keeps `connections` connections open until the time is over. Reopens a connection some time after the
 * service closed it.
 */
async function hold({ url, from, connections, texts, bytes = 0, reads = true, everyMs, durationMs }) {
  const { hostname, port } = new URL(url);
  const tally = { opened: 0, outcomes: {} };
  const sockets = new Set();
  let over = false;
  let begun = 0;
  const start = () => {
    const text = texts[begun++ % texts.length];
    const socket = open({ hostname, port, from, text, bytes, reads, everyMs }, tally);
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      if (!over) setTimeout(() => over || start(), REOPEN_AFTER_MS);
    });
  };
  const deadline = performance.now() + durationMs;
  for (let started = 0; started < connections; started += OPENED_AT_ONCE) {
    for (let next = started; next < Math.min(connections, started + OPENED_AT_ONCE); next++) start();
    await sleep(20);
  }
  await sleep(Math.max(0, deadline - performance.now()));
  over = true;
  const held = sockets.size;
  for (const socket of sockets) socket.resetAndDestroy();
  return { held, ...tally };
}

answerCalls({ flood, hold });
