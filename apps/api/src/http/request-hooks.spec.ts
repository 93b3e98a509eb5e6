import net, { type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@counterfoil/test-harness';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { Drain } from './drain';
import { ApiHttpAdapter } from './http-adapter';
import { addRequestHooks, httpRequestSeconds } from './request-hooks';

let instance: FastifyInstance;
let lines: Record<string, unknown>[];
/** Called when a request has reached its handler. */
let arrived: () => void;

beforeEach(async () => {
  lines = [];
  httpRequestSeconds.reset();
  instance = new ApiHttpAdapter().getInstance<FastifyInstance>();
  const info = (line: Record<string, unknown>) => void lines.push(line);
  const requestLog = { note: () => undefined, close: () => Promise.resolve() };
  const records = { log: { info }, requestLog, clock: { now: () => new Date() } };
  addRequestHooks(instance, records as never, new Drain());
  instance.get('/slow', async () => {
    arrived();
    await sleep(200);
    return { ok: true };
  });
  instance.get('/endless', () => {
    const content = new Readable({ read: () => undefined });
    content.push('one');
    return content;
  });
  instance.get('/quick', () => ({ ok: true }));
  await instance.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => instance.close());

function call(path: string): net.Socket {
  const { port } = instance.server.address() as AddressInfo;
  const caller = net.connect(port, '127.0.0.1');
  caller.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  return caller;
}

async function recorded(): Promise<unknown> {
  await until('a line', () => lines.length > 0);
  // A second line of the same request would come with the end of its work.
  await sleep(300);
  const { values } = await httpRequestSeconds.get();
  const counts = values.filter(({ metricName }) => metricName?.endsWith('_count'));
  return { lines, counted: counts.map(({ labels, value }) => [labels['route'], labels['status'], value]) };
}

describe('a request is recorded once', () => {
  it('if it was answered', async () => {
    const caller = call('/quick');
    await until('an answer', () => lines.length > 0);
    caller.destroy();
    expect(await recorded()).toEqual({
      lines: [expect.objectContaining({ path: '/quick', status: 200 })],
      counted: [['/quick', 200, 1]],
    });
    expect(lines[0]).not.toHaveProperty('aborted');
  });

  it('with status 499 if its caller hung up before the answer began', async () => {
    const reached = new Promise<void>((resolve) => (arrived = resolve));
    const caller = call('/slow');
    await reached;
    caller.destroy();
    expect(await recorded()).toEqual({
      lines: [expect.objectContaining({ path: '/slow', status: 499, aborted: true })],
      counted: [['/slow', 499, 1]],
    });
  });

  it('with the status that was sent if its caller hung up during the answer', async () => {
    const caller = call('/endless');
    await new Promise((resolve) => caller.once('data', resolve));
    caller.destroy();
    expect(await recorded()).toEqual({
      lines: [expect.objectContaining({ path: '/endless', status: 200, aborted: true })],
      counted: [['/endless', 200, 1]],
    });
  });
});
