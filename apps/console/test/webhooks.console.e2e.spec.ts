import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type EventReceiver, startEventReceiver, type TestService, until } from '@counterfoil/test-harness';
import { verifyWebhook } from '@counterfoil/webhook-verifier';
import type { Page } from 'playwright-core';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { type ConsoleBrowser, LOOKS, SOUND } from './console-browser';
import { journeys } from './journeys';

const ARRIVES_MS = 30_000;
const HOSTILE = `<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>\u202Egnp.exe\u200B\u2028' "${'W'.repeat(900)}`;

interface Endpoint {
  readonly id: string;
  readonly secret: string;
  readonly path: string;
}

let service: TestService;
let receiver: EventReceiver;
let console: ConsoleBrowser;
/** Answers of the receiver by path; 200 for all others. */
const answers = new Map<string, readonly [status: number, text: string]>();
let paths = 0;

async function settings(): Promise<Readonly<Record<string, string>>> {
  receiver = await startEventReceiver();
  receiver.answerWith(({ path }, response) => {
    const [status, text] = answers.get(path) ?? [200, 'ok'];
    response.writeHead(status).end(text);
  });
  return { ...receiver.settings, WEBHOOK_RETRY_DELAYS: '100ms' };
}

async function given(events = ['*']): Promise<Endpoint> {
  paths += 1;
  const path = `/hook-${paths}`;
  const url = new URL(path, receiver.url).href;
  const { body } = await service.request<{ id: string; secret: string }>('POST', '/webhooks', {
    url,
    events,
  });
  return { ...body, path };
}

/** Sends a test event, and waits until its delivery has ended. */
async function delivered({ id }: Endpoint, state: string, type = 'document.created'): Promise<number> {
  const { body } = await service.request<{ deliveryId: number }>('POST', `/webhooks/${id}/test`, { type });
  const at = `/webhooks/${id}/deliveries/${body.deliveryId}`;
  await until(
    state,
    async () => (await service.request<{ state: string }>('GET', at)).body.state === state,
    ARRIVES_MS,
  );
  return body.deliveryId;
}

const receivedBy = ({ path }: Endpoint) => receiver.received.filter((event) => event.path === path);

const open = (...given: Parameters<ConsoleBrowser['signIn']>): Promise<Page> => console.signIn(...given);

const SET_UP: Parameters<typeof journeys>[1] = {
  settings,
  given: (ready) => {
    ({ service, browser: console } = ready);
  },
};

journeys('webhooks in the console', SET_UP, () => {
  afterAll(async () => {
    await receiver?.close();
  });

  afterEach(async () => {
    answers.clear();
    const { body } = await service.request<{ data: { id: string }[] }>('GET', '/webhooks');
    for (const { id } of body.data) await service.request('DELETE', `/webhooks/${id}`);
  });

  it('registers an endpoint, shows its secret once, and the test event arrives', async () => {
    const page = await open('webhooks');
    await page.getByText('No endpoint yet').waitFor();
    await console.shoot('webhooks-empty');
    await page.getByRole('button', { name: 'Register endpoint' }).click();
    await page.getByLabel('Address').fill(new URL('/registered', receiver.url).href);
    await page.getByLabel('Only these').check();
    await page.getByLabel('document.created').check();
    await console.shoot('webhooks-register');
    expect(await console.flaws()).toEqual(SOUND);
    await page.getByRole('dialog').getByRole('button', { name: 'Register endpoint' }).click();
    const dialog = page.getByRole('alertdialog');
    const secret = await dialog.locator('pre').textContent();
    expect(secret).toMatch(/^whsec_/);
    await page.keyboard.press('Escape');
    expect(await console.flaws()).toEqual(SOUND);
    await console.shoot('webhooks-secret');
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('heading', { level: 1, name: /registered/ }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'Delivered' }).waitFor();
    const [event] = receiver.received.filter(({ path }) => path === '/registered');
    expect(verifyWebhook({ ...event!, secret: secret! }).type).toBe('document.created');
    expect(console.faults).toEqual([]);
  });

  it('finds a failed delivery, says why, and replays it', async () => {
    const endpoint = await given();
    await delivered(endpoint, 'delivered');
    answers.set(endpoint.path, [503, 'upstream is down']);
    await delivered(endpoint, 'dropped', 'charge.failed');
    const page = await open('webhooks');
    await page.getByText('1 of 2 delivered').waitFor();
    await page.getByRole('link', { name: new RegExp(endpoint.path) }).click();
    await page.getByLabel('State').selectOption({ label: 'Not delivered' });
    await page.getByRole('row').filter({ hasText: 'document.created' }).waitFor({ state: 'detached' });
    expect(page.url()).toContain('state=dropped');
    await page.getByRole('link', { name: /charge.failed/ }).click();
    await page.getByRole('heading', { name: /answers 503/ }).waitFor();
    expect(await page.title()).toMatch(/^charge\.failed \d+ · Demo company · Counterfoil$/);
    await page.getByText('Attempt 2').waitFor();
    await page.getByText('Answer of the receiver').last().click();
    await page.getByText('upstream is down').last().waitFor();
    await console.shoot('webhooks-delivery-failed');
    answers.clear();
    await page.getByRole('button', { name: 'Replay' }).click();
    await page
      .getByRole('definition')
      .filter({ hasText: /^Delivered$/ })
      .waitFor();
    await page.getByText('Attempt 3').waitFor();
    await console.gone('.cause');
    const [, second, , last] = receivedBy(endpoint);
    expect(last!.body).toBe(second!.body);
    expect(console.faults).toEqual([]);
  });

  it('does the same in Hebrew', async () => {
    const endpoint = await given();
    answers.set(endpoint.path, [404, 'no route']);
    const id = await delivered(endpoint, 'dropped');
    const page = await open(`webhooks/${endpoint.id}`, { locale: 'he-IL' });
    await page.getByRole('cell', { name: 'אין דף כזה (404)' }).waitFor();
    await page.getByRole('link', { name: new RegExp(`משלוח ${id} `) }).click();
    await page.getByRole('heading', { name: /עונה 404/ }).waitFor();
    answers.clear();
    await page.getByRole('button', { name: 'שליחה חוזרת' }).click();
    await page
      .getByRole('definition')
      .filter({ hasText: /^נמסר$/ })
      .waitFor();
    expect(console.faults).toEqual([]);
  });

  it('pauses and resumes with the keyboard alone, and the waiting event arrives', async () => {
    const endpoint = await given();
    const page = await open(`webhooks/${endpoint.id}`);
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).waitFor();
      for (let tabs = 0; tabs < 100; tabs += 1) {
        await page.keyboard.press('Tab');
        if ((await page.evaluate<string>('document.activeElement.textContent')) === name) break;
      }
      await page.keyboard.press('Enter');
    };
    await press('Pause');
    await page.getByText(/Paused since/).waitFor();
    await page.evaluate('document.activeElement.blur()');
    await press('Send test event');
    await page.getByRole('dialog').waitFor();
    await press('Send');
    await page.getByRole('row').filter({ hasText: 'Endpoint paused' }).waitFor();
    expect(receivedBy(endpoint)).toEqual([]);
    await console.shoot('webhooks-paused');
    await page.evaluate('document.activeElement.blur()');
    await press('Resume');
    await page.getByRole('row').filter({ hasText: 'Delivered' }).waitFor();
    expect(receivedBy(endpoint)).toHaveLength(1);
    expect(console.faults).toEqual([]);
  });

  it('rotates the secret with overlap: the old one still signs', async () => {
    const endpoint = await given();
    const page = await open(`webhooks/${endpoint.id}`);
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByLabel('Overlap').selectOption({ label: '72 hours' });
    await console.shoot('webhooks-rotate');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    const dialog = page.getByRole('alertdialog');
    const secret = (await dialog.locator('pre').textContent())!;
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await delivered(endpoint, 'delivered');
    const [event] = receivedBy(endpoint);
    expect(secret).not.toBe(endpoint.secret);
    for (const one of [secret, endpoint.secret]) verifyWebhook({ ...event!, secret: one });
    expect(console.faults).toEqual([]);
  });

  it('replays a range: counts first, shows progress, and can be left', async () => {
    const endpoint = await given();
    answers.set(endpoint.path, [500, 'no']);
    for (let sent = 0; sent < 3; sent += 1) await delivered(endpoint, 'dropped');
    answers.clear();
    const page = await open(`webhooks/${endpoint.id}`);
    await page.getByRole('button', { name: 'Replay…' }).click();
    await page.getByText('3 deliveries will be sent again.').waitFor();
    await page.getByLabel('State').last().selectOption({ label: 'Delivered' });
    await page.getByText('No delivery matches.').waitFor();
    expect(await page.getByRole('button', { name: 'Start' }).isDisabled()).toBe(true);
    await page.getByLabel('State').last().selectOption({ label: 'Not delivered' });
    await page.getByText('3 deliveries will be sent again.').waitFor();
    await console.shoot('webhooks-replay');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('3 deliveries are queued to be sent again').waitFor();
    await page.getByText('3 of 3 delivered').waitFor();
    await page.getByRole('link', { name: 'Company' }).click();
    await page.goBack();
    await page.getByText('3 deliveries are queued to be sent again').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
    await console.gone('.card.replay');
    expect(receivedBy(endpoint)).toHaveLength(9);
    expect(console.faults).toEqual([]);
  });

  it('shows a delivery as it happens, and a curl that the receiver accepts', async () => {
    const endpoint = await given();
    const page = await open(`webhooks/${endpoint.id}`);
    await page.getByText('No deliveries', { exact: true }).waitFor();
    await delivered(endpoint, 'delivered');
    await page.getByRole('link', { name: /document.created/ }).click();
    await page.getByRole('tab', { name: 'Headers' }).click();
    await page.getByText(/^Content-Type: application\/json/).waitFor();
    await page.getByRole('tab', { name: 'curl' }).click();
    const curl = await page.getByRole('tabpanel').locator('pre').textContent();
    const env = { ...process.env, WEBHOOK_SECRET: endpoint.secret, CURL_CA_BUNDLE: receiver.certificateFile };
    await promisify(execFile)('sh', ['-c', curl!], { env });
    const [first, second] = receivedBy(endpoint);
    expect(second!.body).toBe(first!.body);
    expect(Object.keys(second!.headers)).toEqual(
      expect.arrayContaining(Object.keys(first!.headers).filter((name) => /^(service|webhook)-/.test(name))),
    );
    verifyWebhook({ ...second!, secret: endpoint.secret });
    new StandardWebhook(endpoint.secret).verify(second!.body, second!.headers as Record<string, string>);
    expect(console.faults).toEqual([]);
  });

  it('adds new deliveries to a long list without a gap, and leaves the keyboard at its row', async () => {
    const endpoint = await given();
    const sent: number[] = [];
    const send = async () => {
      const at = `/webhooks/${endpoint.id}/test`;
      const { body } = await service.request<{ deliveryId: number }>('POST', at, {
        type: 'document.created',
      });
      sent.unshift(body.deliveryId);
    };
    for (let count = 0; count < 70; count += 1) await send();
    const page = await open(`webhooks/${endpoint.id}?offset=44`);
    const inList = async () => {
      const links = await page.locator('.long tbody a').all();
      const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
      return addresses.map((href) => Number(href?.split('/').pop()));
    };
    await page.getByRole('link', { name: `delivery ${sent[50]} ` }).waitFor();
    await page.getByRole('link', { name: `delivery ${sent[49]} ` }).focus();
    await send();
    await send();
    const around = sent.slice(45, 58);
    const rowOf = (id: number) =>
      page.getByRole('row').filter({ has: page.getByRole('link', { name: `delivery ${id} ` }) });
    const isAt = async (id: number, index: number) =>
      (await rowOf(id).getAttribute('aria-rowindex')) === String(index + 2);
    await until('the first page to have moved', () => isAt(around[0]!, 45), ARRIVES_MS);
    await until(
      'the rows on both sides of the page',
      async () => {
        const ids = await inList();
        const at = ids.indexOf(around[0]!);
        return String(ids.slice(at, at + around.length)) === String(around);
      },
      ARRIVES_MS,
    );
    expect(await isAt(sent[51]!, 51)).toBe(true);
    expect(await page.evaluate<string>('document.activeElement.ariaLabel')).toContain(
      `delivery ${sent[51]} `,
    );
    expect(console.faults).toEqual([]);
  });

  it('edits an endpoint, and deletes it after a question', async () => {
    const endpoint = await given();
    const page = await open(`webhooks/${endpoint.id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Address').fill('http://example.com/hooks');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'What this error means' }).waitFor();
    await page.getByLabel('Address').fill('https://example.com/hooks');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'https://example.com/hooks' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No endpoint yet').waitFor();
    // The browser reports the 400 of the address without https.
    expect(console.faults.filter((fault) => !fault.includes('400'))).toEqual([]);
  });

  it('shows a viewer no controls', async () => {
    const endpoint = await given();
    const id = await delivered(endpoint, 'delivered');
    const { body } = await service.request<{ key: string }>('POST', '/api-keys', {
      role: 'viewer',
      userName: 'Viewer',
    });
    const page = await open('', {}, body.key);
    await page.getByRole('link', { name: 'Company' }).waitFor();
    expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
    for (const at of ['webhooks', `webhooks/${endpoint.id}`, `webhooks/${endpoint.id}/deliveries/${id}`]) {
      await console.goto(at);
      await page.getByRole('main').getByText('Your role may not open this page').waitFor();
      expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    }
  });

  it('shows hostile answers as text, and stays within its width', async () => {
    const endpoint = await given();
    answers.set(endpoint.path, [500, HOSTILE]);
    const id = await delivered(endpoint, 'dropped');
    for (const [, options] of [LOOKS[0], LOOKS[3]].filter((look) => look !== undefined)) {
      const page = await open(`webhooks/${endpoint.id}/deliveries/${id}`, options);
      await page.locator('.time-line summary').first().click();
      await page.getByText('window.harmed=1').first().waitFor();
      expect(await console.flaws()).toEqual(SOUND);
      expect(await page.evaluate('typeof harmed')).toBe('undefined');
      expect(console.faults).toEqual([]);
    }
  });

  it('has a catalogue of events with schemas and examples', async () => {
    const page = await open('webhooks/events');
    await page.getByLabel('Search').fill('refund.created');
    await page.getByText('Event types: 1').waitFor();
    await page.locator('summary').click();
    await page.getByRole('heading', { name: 'JSON Schema' }).waitFor();
    expect(JSON.parse((await page.locator('.event-type pre').first().textContent())!).type).toBe(
      'refund.created',
    );
    expect(await console.flaws()).toEqual(SOUND);
    expect(page.url()).toContain('q=refund.created');
    expect(console.faults).toEqual([]);
  });

  it.each(LOOKS)('every page is accessible and fits: %s', async (look, options) => {
    const [good, bad] = [await given(), await given(['charge.failed', 'document.created'])];
    for (let sent = 0; sent < 4; sent += 1) await delivered(good, 'delivered');
    answers.set(bad.path, [502, '<html><h1>502 Bad Gateway</h1></html>']);
    await delivered(good, 'delivered');
    const id = await delivered(bad, 'dropped');
    await open('webhooks', options);
    const at = `webhooks/${bad.id}`;
    const places = {
      list: 'webhooks',
      endpoint: at,
      delivery: `${at}/deliveries/${id}`,
      events: 'webhooks/events',
    };
    for (const [name, place] of Object.entries(places)) {
      await console.follow(place);
      expect({ name, ...(await console.flaws()) }).toEqual({ name, ...SOUND });
      await console.shoot(`webhooks-${name}-${look}`);
    }
    expect(console.faults).toEqual([]);
  });
});
