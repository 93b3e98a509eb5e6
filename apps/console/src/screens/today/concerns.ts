import type { Counterfoil } from '@counterfoil/sdk';
import type { Permission } from '../../app/session.tsx';
import { todayInIsrael } from '../../parts/today.ts';

export interface Concern {
  readonly text:
    | 'endpoints'
    | 'dropped'
    | 'retainers'
    | 'mails'
    | 'charges'
    | 'low'
    | 'overdue'
    | 'numbersRefused'
    | 'numbersAwaited';
  readonly needs: Permission;
  readonly request: string;
  readonly sdk: string;
  /** The screen that lists them, and its filters. */
  readonly to: string;
  readonly search?: Readonly<Record<string, string | boolean>>;
  /** Whether the service goes on by itself. */
  readonly isWaiting?: boolean;
  /** One bounded call. */
  readonly count: (client: Counterfoil) => Promise<number>;
}

const ENDPOINTS_MAX = 200;
/** Of the newest that are read. */
const RECENT_MAX = 100;
const RECENT_DAYS = 7;
const DAY_MS = 86_400_000;

interface Failed {
  readonly createdAt: string;
}

/** Older failures need nobody any more. */
const recentOf = (failed: readonly Failed[]): number =>
  failed.filter(({ createdAt }) => Date.parse(createdAt) > Date.now() - RECENT_DAYS * DAY_MS).length;

type DocumentQuery =
  { readonly approvalNumberStatus: 'PENDING' | 'REFUSED' } | { readonly overdueOn: string };

/** Documents by a filter, which an index covers. */
const documents = (
  query: DocumentQuery,
): Pick<Concern, 'needs' | 'request' | 'sdk' | 'to' | 'search' | 'count'> => {
  const [[name, value] = ['', '']] = Object.entries(query);
  return {
    ...{ needs: 'read', to: '/documents', search: { ...query } },
    request: `GET /documents?${name}=${value}&limit=1`,
    sdk: `const { pagination } = await counterfoil.documents.list({ ${name}: '${value}', limit: 1 });`,
    count: async (client) => {
      const { pagination } = await client.documents.list({ ...query, limit: 1 });
      return (pagination as { total: number }).total;
    },
  };
};

/** The concerns that need a person, the most pressing first. */
export const concerns = (): readonly Concern[] => [
  { text: 'overdue', ...documents({ overdueOn: todayInIsrael() }) },
  { text: 'numbersRefused', ...documents({ approvalNumberStatus: 'REFUSED' }) },
  { text: 'numbersAwaited', isWaiting: true, ...documents({ approvalNumberStatus: 'PENDING' }) },
  {
    ...{ text: 'retainers', needs: 'read', to: '/retainers', search: { state: 'refused' } },
    request: 'GET /retainers',
    sdk: 'const { data } = await counterfoil.retainers.list();\ndata.filter(({ refusal }) => refusal !== null);',
    count: async (client) =>
      (await client.retainers.list()).data.filter(({ refusal }) => refusal !== null).length,
  },
  {
    ...{ text: 'charges', needs: 'read', to: '/payments', search: { status: 'FAILED' } },
    request: `GET /gateway/charges?status=FAILED&limit=${RECENT_MAX}`,
    sdk: `const { data } = await counterfoil.gateway.charges.list({ status: 'FAILED', limit: ${RECENT_MAX} });`,
    count: async (client) =>
      recentOf((await client.gateway.charges.list({ status: 'FAILED', limit: RECENT_MAX })).data),
  },
  {
    ...{ text: 'low', needs: 'read', to: '/stock', search: { isLow: true } },
    request: 'GET /inventory?isLow=true&limit=1',
    sdk: 'const { pagination } = await counterfoil.stock.list({ isLow: true, limit: 1 });',
    count: async (client) => (await client.stock.list({ isLow: true, limit: 1 })).pagination.total,
  },
  {
    ...{ text: 'mails', needs: 'read', to: '/mails', search: { status: 'failed' } },
    request: `GET /mails?status=failed&limit=${RECENT_MAX}`,
    sdk: `const { data } = await counterfoil.mails.list({ status: 'failed', limit: ${RECENT_MAX} });`,
    count: async (client) =>
      recentOf((await client.mails.list({ status: 'failed', limit: RECENT_MAX })).data),
  },
  {
    ...{ text: 'dropped', needs: 'administer', to: '/webhooks' },
    request: `GET /webhooks?limit=${ENDPOINTS_MAX}`,
    sdk: 'const { data } = await counterfoil.webhooks.list();\ndata.reduce((sum, { droppedInLastDay }) => sum + droppedInLastDay, 0);',
    count: async (client) =>
      (await client.webhooks.list({ limit: ENDPOINTS_MAX })).data.reduce(
        (sum, { droppedInLastDay }) => sum + droppedInLastDay,
        0,
      ),
  },
  {
    ...{ text: 'endpoints', needs: 'administer', to: '/webhooks' },
    request: `GET /webhooks?limit=${ENDPOINTS_MAX}`,
    sdk: 'const { data } = await counterfoil.webhooks.list();\ndata.filter(({ pausedAt }) => pausedAt !== null);',
    count: async (client) =>
      (await client.webhooks.list({ limit: ENDPOINTS_MAX })).data.filter(({ pausedAt }) => pausedAt !== null)
        .length,
  },
];
