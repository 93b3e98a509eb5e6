import { Sql } from '@counterfoil/database';
import { reencrypt, SecretBox, type SecretsKeys } from '@counterfoil/secrets';
import { PostgresSealedCards } from '../adapters/postgres/postgres-sealed-cards';
import { PaymentsWorld } from '../testing/payments-world';
import { DetachPaymentMethod } from './detach-payment-method';

const NEXT = { id: 'next', key: 'n'.repeat(32) };
const PURPOSE = 'card-tokens';

describe('the provider tokens of cards after a rotation of SECRETS_KEY', () => {
  let world: PaymentsWorld;

  beforeAll(async () => {
    world = await PaymentsWorld.start();
  });
  afterAll(() => world.close());
  beforeEach(() => world.context.database.query('truncate payment_methods cascade'));

  const rotate = (keys: SecretsKeys) =>
    reencrypt(new PostgresSealedCards(world.context.get(Sql), new SecretBox(keys, PURPOSE)), () => undefined);
  const opened = async (card: number) =>
    new SecretBox([NEXT], PURPOSE).open((await world.sealedToken(card)) ?? '');

  it('are the same, and removed cards have none', async () => {
    const cards = await Promise.all(
      ['tok_approved', 'tok_approved', 'tok_approved'].map((token) => world.givenCard(token)),
    );
    const removed = await world.givenCard('tok_approved');
    await world.context.get(DetachPaymentMethod).execute(world.caller, removed);
    const keys: SecretsKeys = [NEXT, ...world.context.config.secretsKeys];
    expect(await rotate(keys)).toMatchObject({ rows: 3, reencrypted: 3, remaining: 0 });
    for (const card of cards) expect(await opened(card)).toBe('tok_approved');
    expect(await world.sealedToken(removed)).toBeNull();
    expect(await rotate(keys)).toMatchObject({ rows: 3, reencrypted: 0, remaining: 0 });
  });

  it('are named by the id of their card if no key opens them', async () => {
    const card = await world.givenCard('tok_approved');
    expect(await rotate([NEXT])).toMatchObject({ remaining: 1, unreadableRows: [`card ${card}`] });
  });
});
