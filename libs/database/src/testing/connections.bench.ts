import { createTestDatabase, Figures, median, ofRounds, ratesInTurn } from '@counterfoil/test-harness';
import pg from 'pg';
import { KEEP_ALIVE, ResilientClient, type ResilientClientConfig } from '../resilient-client';

const CONNECTIONS = 10;
const SLICES = { rounds: 9, sliceMs: 1_000, callers: CONNECTIONS };
const VARIANTS = ['plain', 'steady', 'timer'] as const;
type Variant = (typeof VARIANTS)[number];

/** `timer` is the driver's own limit, a timer for each statement, for comparison. */
const CONFIGS: Readonly<Record<Variant, ResilientClientConfig>> = {
  plain: {},
  steady: { ...KEEP_ALIVE, silence_timeout: 10_000 },
  timer: { query_timeout: 10_000 },
};

it('connection timeouts cost next to nothing, even for empty statements', async () => {
  const figures = new Figures();
  figures.heading(`short statements, ${CONNECTIONS} connections, a second`);
  const database = await createTestDatabase();
  const pools = new Map(
    VARIANTS.map((name): [Variant, pg.Pool] => {
      const config: pg.PoolConfig & ResilientClientConfig = {
        connectionString: database.url,
        max: CONNECTIONS,
        ...CONFIGS[name],
        ...(name === 'steady' ? { Client: ResilientClient } : {}),
      };
      return [name, new pg.Pool(config)];
    }),
  );
  try {
    const { plain, steady, timer } = await ratesInTurn(VARIANTS, SLICES, async (name) =>
      pools.get(name)?.query('select 1'),
    );
    figures.add('without timeouts', median(plain), ' /s');
    figures.add('with the timeouts of the service', median(steady), ' /s');
    figures.add("with the driver's timer", median(timer), ' /s');
    figures.add('the service against no timeouts', ofRounds(steady, plain), ' x', { atLeast: 0.9 });
    figures.add("the driver's timer against no timeouts", ofRounds(timer, plain), ' x');
  } finally {
    for (const pool of pools.values()) await pool.end();
    await database.drop();
  }
  expect(figures.broken).toEqual([]);
});
