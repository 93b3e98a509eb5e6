import { once } from 'node:events';
import http, { type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { launchChromium, until } from '@counterfoil/test-harness';
import { verifyWebhook } from '@counterfoil/webhook-verifier';
import { cleanUp, newSurroundings, start, type Surroundings, Tool } from '../start-service';

/** From the first command in an installed checkout to the verified event at a receiver. */
const FIRST_EVENT_MAX_MS = 60_000;
/** From opening the reference to the first operation, and to the reference that Scalar has drawn. */
const FIRST_OPERATION_MAX_MS = 3_000;
const DRAWN = '#reference section[id$="/POST/clients/create"]';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let surroundings: Surroundings;
let tools: Tool[];
let receiver: http.Server;
let received: Received[];
let begun: number;

const remember = (tool: Tool): Tool => {
  tools.push(tool);
  return tool;
};
const counterfoil = (...args: string[]): Tool =>
  remember(new Tool([process.execPath, 'tools/counterfoil.mjs', ...args], surroundings.env));

beforeAll(async () => {
  [tools, received] = [[], []];
  surroundings = await newSurroundings();
  const take = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(204).end();
  };
  receiver = http.createServer((request, response) => void take(request, response));
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  begun = performance.now();
  await remember(start(surroundings)).prints('Ready in');
}, 120_000);

afterAll(async () => {
  receiver.close();
  await cleanUp(surroundings, tools);
});

describe('a newcomer', () => {
  it('has the first verified event at a receiver after three commands', async () => {
    const { port } = receiver.address() as AddressInfo;
    const listener = counterfoil('listen', '--forward-to', `http://127.0.0.1:${port}/hooks`);
    await listener.prints('signing secret');
    await counterfoil('trigger', 'document.created').exited;
    await until('the event', () => received.length > 0);
    const [secret = ''] = /whsec_\S+/.exec(listener.stdout) ?? [];
    const [{ headers, body }] = received as [Received];
    expect(verifyWebhook({ body, headers, secret })).toMatchObject({ type: 'document.created' });
    const tookMs = Math.round(performance.now() - begun);
    console.log(`the first verified event came ${tookMs} ms after the first of three commands`);
    expect(tookMs).toBeLessThan(FIRST_EVENT_MAX_MS);
  }, 120_000);

  it('sees the first operation of the reference in time', async () => {
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      const opened = performance.now();
      await page.goto(`http://127.0.0.1:${surroundings.port}/docs`, { waitUntil: 'commit' });
      await page.getByText('/clients/create').first().waitFor({ state: 'visible' });
      const firstMs = Math.round(performance.now() - opened);
      await page.waitForSelector(DRAWN, { state: 'attached' });
      const drawnMs = Math.round(performance.now() - opened);
      console.log(`first operation visible after ${firstMs} ms, drawn by Scalar after ${drawnMs} ms`);
      expect(firstMs).toBeLessThan(FIRST_OPERATION_MAX_MS);
    } finally {
      await browser.close();
    }
  }, 120_000);
});
