import type { RowOf } from '@counterfoil/sdk';
import type { Values } from '../../app/messages.ts';

export type Endpoint = RowOf<'GET /webhooks'>;
export type Delivery = RowOf<'GET /webhooks/{id}/deliveries'>;
export type Attempt = Delivery['attempts'][number];

const WITHOUT_STATUS = [
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'protocol',
  'blocked',
  'too_large',
] as const;

export type CauseKey =
  | (typeof WITHOUT_STATUS)[number]
  | 'redirect'
  | 'refused'
  | 'missing'
  | 'limited'
  | 'invalid'
  | 'broken'
  | 'odd'
  | 'unknown'
  | 'paused'
  | 'budget'
  | 'removed';

/** A key of `CAUSES`, with the values of its texts. */
export interface Cause {
  readonly key: CauseKey;
  readonly values: Values;
}

/** Returns why a delivery has not arrived; null if it has, or is under way for the first time. */
export function causeOf({ state, attempts }: Delivery, isPaused = false): Cause | null {
  if (state === 'delivered') return null;
  const last = attempts.at(-1);
  if (isPaused && state !== 'dropped') return plain('paused');
  // A replayed delivery is pending: its last attempt is what it is sent again for.
  if (last) return causeOfAttempt(last);
  if (state === 'waiting') return plain('budget');
  return state === 'dropped' ? plain('removed') : null;
}

/** Returns why an attempt failed; null if it was acknowledged. */
export function causeOfAttempt({ failure, status }: Attempt): Cause | null {
  if (failure === null) return null;
  if (failure === 'status' && status !== null) return { key: keyOfStatus(status), values: { status } };
  const key = WITHOUT_STATUS.find((one) => one === failure);
  // Newer services may have further codes.
  return key ? plain(key) : { key: 'unknown', values: { code: failure } };
}

const plain = (key: CauseKey): Cause => ({ key, values: {} });

const STATUSES: Readonly<Record<number, CauseKey>> = {
  401: 'refused',
  403: 'refused',
  407: 'refused',
  404: 'missing',
  405: 'missing',
  410: 'missing',
  429: 'limited',
};
const KINDS: readonly CauseKey[] = ['odd', 'odd', 'odd', 'redirect', 'invalid', 'broken'];

function keyOfStatus(status: number): CauseKey {
  return STATUSES[status] ?? KINDS[Math.floor(status / 100)] ?? 'odd';
}
