import { until } from '@counterfoil/test-harness';
import type { Prepare } from './hostile-attacks';
import { type HostileSite, jsonAs } from './hostile-site';

export const REPLAYING_COMPANIES = 2;
const ENDPOINTS = 50;
const DOCUMENTS = 30;
const LOOK_EVERY_MS = 50;
const DRAIN_LIMIT_MS = 60_000;
/** Paths of one destination. Half of the endpoints never get an answer there, the others get 500. */
const PATHS = ['/hangs', '/fails'] as const;

const keys: string[] = [];
const endpoints: { readonly key: string; readonly id: string }[] = [];

/** Two companies with 50 endpoints each, all at one destination, redeliver all events repeatedly. */
export const replaying: Prepare = async (site) => {
  for (let count = 0; count < REPLAYING_COMPANIES; count++) await furnish(site, `Replaying ${count}`);
  await until('all events to be there', async () => (await open(site)) === 0, DRAIN_LIMIT_MS);
  await site.sink.setMood('/hangs', { kind: 'hang' });
  await site.sink.setMood('/fails', { kind: 'fail' });
  const calls = endpoints.map(({ key, id }) => ({
    ...{ method: 'POST', path: `/webhooks/${id}/replay`, headers: jsonAs(key) },
    body: JSON.stringify({ since: '2026-01-01' }),
  }));
  const asked = { url: site.service.url, from: '127.0.0.2', calls, callers: 20, perSecond: 50 };
  return (durationMs) => site.attackers.flood({ ...asked, durationMs });
};

async function furnish(site: HostileSite, name: string): Promise<void> {
  const { ownerKey: key } = await site.newCompany(name);
  keys.push(key);
  const asked = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
  const { clientId } = await site.ask<{ clientId: number }>('POST', '/clients/create', asked, key);
  for (let count = 0; count < ENDPOINTS; count++) {
    const hook = { url: site.sink.urlOf(PATHS[count % 2]!), events: ['document.created'] };
    const { id } = await site.ask<{ id: string }>('POST', '/webhooks', hook, key);
    endpoints.push({ key, id });
  }
  const items = [{ description: 'Consulting', quantity: 1, unitPrice: 1 }];
  for (let count = 0; count < DOCUMENTS; count++) {
    await site.ask('POST', '/documents/create/order', { entityId: clientId, items }, key);
  }
}

/** Counts the deliveries that are not finished. */
async function open({ service }: HostileSite): Promise<number> {
  const [row] = await service.database.query<{ count: number }>(
    `select count(*)::int from webhook_deliveries where state in ('pending', 'waiting')`,
  );
  const [unrelayed] = await service.database.query<{ count: number }>(
    'select count(*)::int from outbox_events where relayed_at is null',
  );
  return row!.count + unrelayed!.count;
}

/** The requests that the destination received during a period. */
export interface Received {
  readonly perSecond: number;
  readonly inFlightMax: number;
}

export async function receivedWithin(site: HostileSite, over: Promise<unknown>): Promise<Received> {
  let isOver = false;
  const ended = over.finally(() => (isOver = true));
  const tally = async (of: 'requests' | 'inFlight') => {
    const { paths } = await site.sink.state();
    return PATHS.reduce((sum, path) => sum + (paths[path]?.[of] ?? 0), 0);
  };
  const started = performance.now();
  const requests = await tally('requests');
  let inFlightMax = 0;
  while (!isOver) {
    inFlightMax = Math.max(inFlightMax, await tally('inFlight'));
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  await ended;
  const received = (await tally('requests')) - requests;
  return { perSecond: received / ((performance.now() - started) / 1_000), inFlightMax };
}

export async function endReplaying(site: HostileSite): Promise<void> {
  for (const path of PATHS) await site.sink.setMood(path, { kind: 'ok' });
  for (const { key, id } of endpoints) await site.ask('DELETE', `/webhooks/${id}`, undefined, key);
}
