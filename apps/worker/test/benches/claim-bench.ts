import { randomUUID } from 'node:crypto';
import { createTestDatabase, median, percentile, type TestDatabase } from '@counterfoil/test-harness';

const ENDPOINTS = 10;
const DUE = 2_000;
const PLACES = 16;
/** Short enough that a checkpoint or another disturbance spoils only one of them. */
const SLICE_ROUNDS = 200;
const SLICES = 15;
/** Until plans are cached and the data is in memory. */
const WARM_UP_ROUNDS = 100;

/** An endpoint with due deliveries among many waiting retries. */
export class ClaimBench {
  private constructor(private readonly database: TestDatabase) {}

  /** @param waiting retries that are due in the next hours; a tenth of them belong to the same endpoint */
  static async open(waiting: number): Promise<ClaimBench> {
    const database = await createTestDatabase();
    await database.query(`insert into companies (name, created_at) values ('Acme', now())`);
    await database.query(
      `insert into webhook_endpoints (id, company_id, url, events, secret_sealed, created_at)
       select 'we_' || n, 1, 'https://example.com/', '{*}', '', now() from generate_series(0, ${ENDPOINTS - 1}) n`,
    );
    await database.query(
      `insert into outbox_events (id, company_id, type, body, created_at, relayed_at)
       select 'evt_' || n, 1, 'document.created', '{}', now(), now() from generate_series(1, $1::int) n`,
      [waiting + DUE],
    );
    await database.query(
      `insert into webhook_deliveries
         (company_id, endpoint_id, event_id, event_type, state, attempts, tries, next_attempt_at, created_at)
       select 1, 'we_' || (case when n <= $2 then 0 else n % ${ENDPOINTS} end), 'evt_' || n, 'document.created',
              'waiting', 1, 1,
              case when n <= $2 then now() - interval '1 second' else now() + (n % 43200) * interval '1 second' end,
              now()
         from generate_series(1, $1::int) n`,
      [waiting + DUE, DUE],
    );
    await database.vacuum();
    return new ClaimBench(database);
  }

  /** Returns the 95th percentile of claims for both, in milliseconds: the median of several slices, measured alternately. */
  static async inTurn(one: ClaimBench, other: ClaimBench): Promise<[number, number]> {
    await claimInTurn(one, other, WARM_UP_ROUNDS);
    const [ofOne, ofOther]: [number[], number[]] = [[], []];
    for (let slice = 0; slice < SLICES; slice++) {
      const [tookOne, tookOther] = await claimInTurn(one, other, SLICE_ROUNDS);
      ofOne.push(percentile(tookOne, 0.95));
      ofOther.push(percentile(tookOther, 0.95));
    }
    return [median(ofOne), median(ofOther)];
  }

  close(): Promise<void> {
    return this.database.drop();
  }

  /** Claims with the worker's own statement. The claim is released outside of the measured time. */
  async claim(): Promise<number> {
    const [token, started] = [randomUUID(), performance.now()];
    const claimed = await this.database.query<{ id: string }>(
      `select id from claim_due_deliveries(array['we_0'], array[$1::int], 32, now(), interval '15 s', $2)`,
      [PLACES, token],
    );
    const took = performance.now() - started;
    if (claimed.length !== PLACES) throw new Error(`${claimed.length} were claimed`);
    await this.database.query(
      'update webhook_deliveries set lease_token = null, lease_until = null where id = any ($1)',
      [claimed.map(({ id }) => id)],
    );
    return took;
  }
}

/** Returns how long each claim of both took, in milliseconds. */
async function claimInTurn(
  one: ClaimBench,
  other: ClaimBench,
  rounds: number,
): Promise<[one: number[], other: number[]]> {
  const [ofOne, ofOther]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    ofOne.push(await one.claim());
    ofOther.push(await other.claim());
  }
  return [ofOne, ofOther];
}
