import { createTestDatabase, Figures, median, ofRounds, ratesInTurn } from '@counterfoil/test-harness';
import pg from 'pg';
import { KEEP_ALIVE, SteadyClient, type SteadyClientConfig } from '../client';

const CONNECTIONS = 10;
const SLICES = { rounds: 9, sliceMs: 1_000, callers: CONNECTIONS };
const VARIANTS = ['plain', 'steady', 'timer'] as const;
type Variant = (typeof VARIANTS)[number];

/** `timer` is what the driver offers, a timer for each statement; it is here to be compared with. */
const CONFIGS: Readonly<Record<Variant, SteadyClientConfig>> = {
  plain: {},
  steady: { ...KEEP_ALIVE, silence_timeout: 10_000 },
  timer: { query_timeout: 10_000 },
};

it('limits of the connection cost next to nothing, even of statements that do nothing', async () => {
  const figures = new Figures();
  figures.heading(`short statements, ${CONNECTIONS} connections, a second`);
  const database = await createTestDatabase();
  const pools = new Map(
    VARIANTS.map((name): [Variant, pg.Pool] => {
      const config: pg.PoolConfig & SteadyClientConfig = {
        connectionString: database.url,
        max: CONNECTIONS,
        ...CONFIGS[name],
        ...(name === 'steady' ? { Client: SteadyClient } : {}),
      };
      return [name, new pg.Pool(config)];
    }),
  );
  try {
    const { plain, steady, timer } = await ratesInTurn(VARIANTS, SLICES, async (name) =>
      pools.get(name)?.query('select 1'),
    );
    figures.add('without limits', median(plain), ' /s');
    figures.add('with those of the service', median(steady), ' /s');
    figures.add("with the driver's timer", median(timer), ' /s');
    figures.add('the service against none', ofRounds(steady, plain), ' x', { atLeast: 0.9 });
    figures.add("the driver's timer against none", ofRounds(timer, plain), ' x');
  } finally {
    for (const pool of pools.values()) await pool.end();
    await database.drop();
  }
  expect(figures.broken).toEqual([]);
});
