import { COMPANY_SLOTS, UNWELCOME_BURST, UNWELCOME_PER_SECOND } from '@counterfoil/webhooks';
import { REPLAYING_COMPANIES } from './hostile-replays';

export const ATTACK_MS = 20_000;

/** Limits that the service must meet while it is attacked. */
export const BOUNDS = {
  /** Of the other companies' calls: on a machine that is busier with something else, the figures say nothing. */
  quietP99Ms: 500,
  /** p99 of the other companies' calls, as a multiple of the quiet p99, which counts as 10 ms at least. */
  othersP99: 3,
  failed: 0,
  readyP99Ms: 100,
  /** No piece of work takes the event loop for more than 50 ms, which a timer of 10 ms shows as up to 60. */
  lagMaxMs: 60,
  lagP99Ms: 50,
  memoryGrowthMib: 256,
  downloadStartP99Ms: 1_000,
  receiptP95Ms: 2_000,
  destinationInFlight: REPLAYING_COMPANIES * COMPANY_SLOTS,
  /** To a destination that acknowledges nothing: the steady rate, and the burst spread over the attack. */
  destinationPerSecond: UNWELCOME_PER_SECOND + UNWELCOME_BURST / (ATTACK_MS / 1_000),
} as const;

export type Bounds = { readonly [Name in keyof typeof BOUNDS]: number };

const MANY_CONNECTIONS = 550;
const MANY_CONNECTIONS_MS = 2_000;
const FEW_CONNECTIONS_MS = 100;
const ONE_CONNECTION_MS = 2;

/**
 * The p99 of the other companies' calls while the attackers open their connections. Node accepts one in each turn of
 * the event loop, and a turn with work takes about two milliseconds: a caller who comes behind 250 others waits for as
 * many turns. docs/operations.md promises two seconds, however many they are.
 */
export const onsetP99MaxMs = (connections: number): number =>
  connections < MANY_CONNECTIONS ? FEW_CONNECTIONS_MS + ONE_CONNECTION_MS * connections : MANY_CONNECTIONS_MS;

/** Bodies of 5 MiB: as bytes, as text, as values, and on their way to the database. */
export const PRICELIST_BOUNDS = { memoryGrowthMib: 400 };

/** The rows of a statement are parsed in one piece: a full page in some 4 ms, a pricelist of 60,000 tiers in 20. */
export const READING_BOUNDS = { othersP99: 10, memoryGrowthMib: 400 };

/**
 * Six floods at once are more than two processors can carry, which PostgreSQL, the worker, its readers and the attackers
 * share with the API: how long the others wait is the machine's to say. They are served, and none is refused.
 */
export const SIX_FLOODS_BOUNDS = { ...PRICELIST_BOUNDS, othersP99: 8 };
