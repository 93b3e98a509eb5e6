import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CAUSES } from '../src/screens/webhooks/cause-messages.ts';
import { type Attempt, causeOf, causeOfAttempt, type Delivery } from '../src/screens/webhooks/causes.ts';
import { queryText } from '../src/parts/filter-values.ts';
import { deliveryFiltersOf } from '../src/screens/webhooks/delivery-filters.ts';
import { isoTime, localTime } from '../src/parts/local-time.ts';
import { curlOf, headersOf, indented } from '../src/screens/webhooks/sent-request.ts';

const attempt = (part: Partial<Attempt>): Attempt => ({
  ...{ attempt: 1, startedAt: '2026-11-21T09:30:00.140Z', durationMs: 5 },
  ...{ status: null, failure: null, response: null },
  ...part,
});
const delivery = (part: Partial<Delivery>): Delivery => ({
  ...{ id: 1, eventId: 'evt_1', eventType: 'stock.low', state: 'dropped' },
  ...{ createdAt: '2026-11-21T09:30:00.000Z', nextAttemptAt: null, attempts: [] },
  ...part,
});

describe('the cause of a failure', () => {
  it.each([
    [301, 'redirect'],
    [308, 'redirect'],
    [400, 'invalid'],
    [401, 'refused'],
    [403, 'refused'],
    [404, 'missing'],
    [405, 'missing'],
    [410, 'missing'],
    [422, 'invalid'],
    [429, 'limited'],
    [500, 'broken'],
    [503, 'broken'],
    [199, 'odd'],
    [999, 'odd'],
  ] as const)('of the status %i is %s', (status, key) => {
    expect(causeOfAttempt(attempt({ failure: 'status', status }))).toEqual({ key, values: { status } });
  });

  const described = JSON.parse(
    fs.readFileSync(path.resolve(__dirname, '../../../docs/openapi.json'), 'utf8'),
  ) as { components: { schemas: { AttemptFailure: { enum: Attempt['failure'][] } } } };

  it.each(described.components.schemas.AttemptFailure.enum)(
    'of every code of the API is known: %s',
    (failure) => {
      const cause = causeOfAttempt(attempt({ failure, status: failure === 'status' ? 500 : null }));
      expect(cause?.key).not.toBe('unknown');
      expect(CAUSES.en[`${cause!.key}_do`]).toBeTruthy();
    },
  );

  it('names a code of a newer service', () => {
    const failure = 'quota' as Attempt['failure'];
    expect(causeOfAttempt(attempt({ failure }))).toEqual({ key: 'unknown', values: { code: 'quota' } });
  });

  it('is that of the last attempt, and none of what has arrived', () => {
    const failed = attempt({ failure: 'tls' });
    expect(causeOf(delivery({ attempts: [attempt({ failure: 'dns' }), failed] }))?.key).toBe('tls');
    expect(
      causeOf(delivery({ state: 'delivered', attempts: [failed, attempt({ status: 200 })] })),
    ).toBeNull();
    expect(causeOf(delivery({ state: 'pending' }))).toBeNull();
    expect(causeOf(delivery({ state: 'waiting' }))?.key).toBe('budget');
    expect(causeOf(delivery({ state: 'dropped' }))?.key).toBe('removed');
    expect(causeOf(delivery({ state: 'waiting', attempts: [failed] }), true)?.key).toBe('paused');
    expect(causeOf(delivery({ state: 'dropped', attempts: [failed] }), true)?.key).toBe('tls');
  });
});

describe('the request of a delivery', () => {
  const url = "https://example.com/it's?a=$(id)&b=`id`";
  const body = '{"note":"it\'s $HOME \\\\ `id` $(id) \u202Eשלום\u2028\\n"}';
  const event = { url, body, eventId: 'evt_1', eventType: 'document.created' };

  it('is the same, byte for byte, for a program that the shell starts in place of curl', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'console-curl-'));
    try {
      fs.writeFileSync(path.join(folder, 'curl'), '#!/bin/sh\nprintf \'%s\\0\' "$@"\n', { mode: 0o755 });
      const env = {
        ...process.env,
        PATH: `${folder}:${process.env['PATH']}`,
        WEBHOOK_SECRET: 'whsec_c2VjcmV0',
      };
      const given = execFileSync('sh', ['-c', curlOf(event)], { encoding: 'utf8', env }).split('\0');
      expect(given).toEqual(expect.arrayContaining([url, body, 'Service-Event-Type: document.created']));
      expect(given.join('\n')).toMatch(/Service-Signature: t=\d+,v1=[\da-f]{64}\n/);
      expect(given.join('\n')).toMatch(/webhook-signature: v1,[\w+/]{43}=\n/);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it('has the time of the attempt, and no invented signature', () => {
    expect(headersOf(event, '2026-11-21T09:30:00.940Z')).toContain('Service-Signature: t=1795253400,v1=…');
    expect(headersOf(event, null)).toContain('webhook-timestamp: …');
  });

  it('is indented if it is JSON', () => {
    expect(indented('{"a":1}')).toBe('{\n  "a": 1\n}');
    expect(indented('<a>')).toBe('<a>');
  });
});

it('reads filters of the address, and leaves the rest of it', () => {
  const filters = deliveryFiltersOf({ state: 'dropped', since: '', offset: 50, until: 2026 });
  expect(filters).toEqual({ state: 'dropped', until: '2026' });
  expect(queryText({ ...filters, limit: 1 })).toBe('state=dropped&until=2026&limit=1');
});

it('converts times to the zone of the browser and back', () => {
  expect(isoTime(localTime('2026-11-21T09:30:59.940Z'))).toBe('2026-11-21T09:30:00.000Z');
  expect([localTime(undefined), localTime('soon'), isoTime('')]).toEqual(['', '', undefined]);
});
