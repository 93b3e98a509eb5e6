import { Sql } from '@counterfoil/database';
import { type Caller, Clock } from '@counterfoil/kernel';
import { reencrypt, SecretBox, type SecretsKeys } from '@counterfoil/secrets';
import { PostgresSealedEndpoints } from '../adapters/postgres/postgres-sealed-endpoints';
import type { FormerSecret } from '../domain/endpoint';
import { DeliveryWorld } from '../testing/delivery-world';
import { RemoveEndpoint } from './remove-endpoint';
import { RotateSecret } from './rotate-secret';
import { SigningSecrets } from './signing-secrets';

const PURPOSE = 'webhook-signing-secrets';
const NEXT = { id: 'next', key: 'n'.repeat(32) };
const ignored = () => undefined;

describe('the secrets of endpoints', () => {
  let world: DeliveryWorld;
  let caller: Caller;
  let keys: SecretsKeys;

  beforeAll(async () => {
    world = await DeliveryWorld.open();
    keys = [NEXT, ...world.context.config.secretsKeys];
  });
  afterAll(() => world.context.close());
  beforeEach(async () => {
    await world.reset();
    await world.context.database.query('truncate webhook_endpoints cascade');
    caller = await world.givenCaller();
  });

  const rotate = (to: SecretsKeys = keys) =>
    reencrypt(new PostgresSealedEndpoints(world.context.get(Sql), new SecretBox(to, PURPOSE)), ignored);

  interface Stored {
    readonly secretSealed: string;
    readonly formerSecrets: readonly FormerSecret[];
  }

  async function stored(id: string): Promise<Stored> {
    const [row] = await world.context.database.query<Stored>(
      `select secret_sealed as "secretSealed", former_secrets as "formerSecrets"
         from webhook_endpoints where id = $1`,
      [id],
    );
    return row!;
  }

  /** Returns the secrets that a process with only the next key signs with. */
  async function signing(id: string): Promise<string[]> {
    const config = { ...world.context.config, secretsKeys: [NEXT] as const };
    return new SigningSecrets(config).signing(await stored(id), world.context.get(Clock).now());
  }

  it('are the same after a rotation of SECRETS_KEY, also the previous ones and those of removed endpoints', async () => {
    const first = await world.register(caller);
    const second = await world.register(caller);
    const later = await world.context.get(RotateSecret).execute(caller, first.id);
    const [{ until } = { until: '' }] = (await stored(first.id)).formerSecrets;
    await world.context.get(RemoveEndpoint).execute(caller, second.id);

    expect(await rotate()).toMatchObject({ rows: 2, reencrypted: 2, remaining: 0 });
    expect(await signing(first.id)).toEqual([later, first.secret]);
    expect(await signing(second.id)).toEqual([second.secret]);
    expect((await stored(first.id)).formerSecrets).toEqual([{ sealed: expect.any(String), until }]);
    expect(await rotate()).toMatchObject({ rows: 2, reencrypted: 0, remaining: 0 });
  });

  it('are re-encrypted while an attempt locks an endpoint, without waiting for it', async () => {
    const [first, second] = [await world.register(caller), await world.register(caller)];
    const attempt = world.context.database.hold(
      `select from webhook_endpoints where id = '${first.id}' for no key update`,
    );
    await attempt.ready;
    expect(await rotate()).toMatchObject({ reencrypted: 1, remaining: 1, unreadable: 0 });
    expect(await signing(second.id)).toEqual([second.secret]);
    await attempt.release();
    expect(await rotate()).toMatchObject({ reencrypted: 1, remaining: 0 });
    expect(await signing(first.id)).toEqual([first.secret]);
  });

  it('survive rotations of the endpoint at the same time', async () => {
    const endpoints = await Promise.all(Array.from({ length: 10 }, () => world.register(caller)));
    const latest = new Map(endpoints.map(({ id, secret }) => [id, secret]));
    const changes = endpoints.map(async ({ id }) => {
      for (let round = 1; round <= 5; round += 1) {
        latest.set(id, await world.context.get(RotateSecret).execute(caller, id, round % 2));
      }
    });
    await Promise.all([...changes, rotate(), rotate()]);
    // This context seals with its own key, as a process does that has not been restarted yet.
    expect(await rotate()).toMatchObject({ remaining: 0 });
    for (const [id, secret] of latest) expect((await signing(id))[0]).toBe(secret);
  });

  it('are named if no key opens them', async () => {
    const { id } = await world.register(caller);
    expect(await rotate([NEXT])).toMatchObject({
      reencrypted: 0,
      remaining: 1,
      unreadableRows: [`webhook endpoint ${id}`],
    });
  });
});
