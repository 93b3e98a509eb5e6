import { Counter, Gauge, register } from 'prom-client';

export const databaseErrorsTotal = new Counter({
  name: 'counterfoil_database_errors_total',
  help: 'Errors that PostgreSQL answered to this process, by SQLSTATE',
  labelNames: ['sqlstate'] as const,
});

export const databaseConnectionsLostTotal = new Counter({
  name: 'counterfoil_database_connections_lost_total',
  help: 'Connections to PostgreSQL that broke or were given up',
});

export const replicaReadsTotal = new Counter({
  name: 'counterfoil_database_replica_reads_total',
  help: 'Reads that the replica answered, or the primary because the replica was behind, unavailable, busy or too slow',
  labelNames: ['outcome'] as const,
});

/** The connections of a pool at one moment. */
export interface PoolState {
  readonly used: number;
  readonly idle: number;
  /** Statements and transactions that wait for a connection, or for a slot of their company. */
  readonly waiting: number;
}

const CONNECTIONS = 'counterfoil_database_connections';
const WAITING = 'counterfoil_database_waiting';

/** Exports the state of the pool. Tests open several pools in one process; the latest one is measured. */
export function measurePool(stateOf: () => PoolState): void {
  for (const name of [CONNECTIONS, WAITING]) register.removeSingleMetric(name);
  new Gauge({
    name: CONNECTIONS,
    help: 'Connections of this process to PostgreSQL, used or idle',
    labelNames: ['state'] as const,
    collect() {
      const { used, idle } = stateOf();
      this.set({ state: 'used' }, used);
      this.set({ state: 'idle' }, idle);
    },
  });
  new Gauge({
    name: WAITING,
    help: 'Statements and transactions of this process that wait for a connection',
    collect() {
      this.set(stateOf().waiting);
    },
  });
}
