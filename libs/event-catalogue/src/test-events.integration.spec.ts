import { Outbox } from '@counterfoil/outbox';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import { RegisterEndpoint, SendTestEvent, WebhooksModule } from '@counterfoil/webhooks';
import { EVENT_CATALOGUE } from './event-catalogue';

describe('POST /webhooks/:id/test', () => {
  let context: TestContext;

  beforeAll(async () => {
    context = await startTestContext([WebhooksModule.register(EVENT_CATALOGUE)]);
  });
  afterAll(() => context.close());

  it.each(EVENT_CATALOGUE.types)('can send %s', async (type) => {
    const [company] = await context.database.query<{ id: number }>(
      `insert into companies (name, created_at) values ('Acme', now()) returning id::int`,
    );
    const caller = { companyId: company?.id ?? 0, userId: 1, apiKeyId: 1, role: 'owner' } as const;
    const endpoint = { url: 'https://93.184.216.34/', events: ['document.created'] };
    const { id } = await context.get(RegisterEndpoint).execute(caller, endpoint);
    const { eventId } = await context.get(SendTestEvent).execute(caller, id, type);
    const body = (await context.get(Outbox).findBodies([eventId])).get(eventId) ?? '';
    expect(JSON.parse(body)).toMatchObject({ type, data: { test: true } });
  });
});
