import { COMPANY_SLOTS, UNWELCOME_BURST, UNWELCOME_PER_SECOND } from '@counterfoil/webhooks';
import { REPLAYING_COMPANIES } from './hostile-replays';

export const ATTACK_MS = 20_000;

/** Limits that the service must keep during an attack. */
export const BOUNDS = {
  /**
   * p99 of the other companies' calls without an attack. If the machine is busier, the figures are
   * meaningless.
   */
  quietP99Ms: 500,
  /**
   * p99 of the other companies' calls during the attack, as a multiple of the quiet p99, which counts as at
   * least 10 ms.
   */
  othersP99: 3,
  failed: 0,
  readyP99Ms: 100,
  /** No turn of the event loop takes more than 50 ms. A timer of 50 ms shows that as up to 100. */
  lagMaxMs: 100,
  lagP99Ms: 90,
  memoryGrowthMib: 256,
  downloadStartP99Ms: 1_000,
  receiptP95Ms: 2_000,
  destinationInFlight: REPLAYING_COMPANIES * COMPANY_SLOTS,
  /**
   * Requests to a destination that acknowledges nothing: the steady rate, plus the burst spread over the
   * attack.
   */
  destinationPerSecond: UNWELCOME_PER_SECOND + UNWELCOME_BURST / (ATTACK_MS / 1_000),
} as const;

export type Bounds = { readonly [Name in keyof typeof BOUNDS]: number };

const MANY_CONNECTIONS = 550;
const MANY_CONNECTIONS_MS = 2_000;
const FEW_CONNECTIONS_MS = 100;
const ONE_CONNECTION_MS = 2;

/**
 * p99 of the other companies' calls while the attackers open their connections. Node accepts one connection
 * in each turn of the event loop, and a turn with work takes about two milliseconds, so a caller behind 250
 * others waits for as many turns. docs/operations.md promises two seconds for any number of connections.
 */
export const onsetP99MaxMs = (connections: number): number =>
  connections < MANY_CONNECTIONS ? FEW_CONNECTIONS_MS + ONE_CONNECTION_MS * connections : MANY_CONNECTIONS_MS;

/** Memory for bodies of 5 MiB: as bytes, as text, as values, and as statement parameters. */
export const PRICELIST_BOUNDS = { memoryGrowthMib: 400 };

/**
 * The rows of a statement are parsed in one turn: about 4 ms for a full page, 20 ms for a pricelist of 60,000
 * tiers.
 */
export const READING_BOUNDS = { othersP99: 10, memoryGrowthMib: 400 };

/** The memory of five floods adds up: 220 to 307 MiB in six runs. Each of them alone keeps the bound. */
export const FIVE_FLOODS_BOUNDS = { memoryGrowthMib: 400 };

/**
 * Six floods at once exceed two processors, which PostgreSQL, the worker, its readers and the attackers share
 * with the API. So the duration of the others' calls, and of the API's turns, depends on the machine. All of
 * them are served, and none is refused.
 */
export const SIX_FLOODS_BOUNDS = { memoryGrowthMib: 450, othersP99: 12, lagMaxMs: 140 };
