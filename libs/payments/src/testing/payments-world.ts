import { CreateCompany, IdentityModule } from '@counterfoil/identity';
import { type Caller, Clock } from '@counterfoil/kernel';
import {
  type OpenContext,
  openTestContext,
  SetClock,
  startTestContext,
  type TestContext,
} from '@counterfoil/test-harness';
import type { TestingModuleBuilder } from '@nestjs/testing';
import { AttachPaymentMethod } from '../application/attach-payment-method';
import type { StartedOperation } from '../application/idempotent-operations';
import { type ChargeInput, CreateCharge } from '../application/create-charge';
import { type ChargeRecord, PaymentsReader } from '../application/ports/payments.reader';
import { PaymentProviders } from '../application/ports/payment-provider';
import { ResolveProviderRequest } from '../application/resolve-provider-request';
import { PaymentsModule } from '../payments.module';

const MODULES = [PaymentsModule, IdentityModule];
const DAY_MS = 86_400_000;

export interface ToldEvent {
  readonly type: string;
  readonly data: {
    readonly charge?: Readonly<Record<string, unknown>> & { readonly id: number };
    readonly refund?: Readonly<Record<string, unknown>> & { readonly id: number };
  };
}

export interface SandboxRequest {
  readonly kind: string;
  readonly amount: number;
  readonly approved: boolean;
  readonly captured: boolean;
  readonly sent: number;
}

/** A company that charges cards, on a real database with a clock that the test sets. */
export class PaymentsWorld {
  readonly clock: SetClock;
  caller!: Caller;

  private constructor(
    readonly context: TestContext,
    private readonly override: (builder: TestingModuleBuilder) => TestingModuleBuilder,
    clock: SetClock,
  ) {
    this.clock = clock;
  }

  /** @param providers default: the configured sandbox */
  static async start(providers?: PaymentProviders): Promise<PaymentsWorld> {
    const clock = new SetClock();
    const override = (builder: TestingModuleBuilder): TestingModuleBuilder => {
      const timed = builder.overrideProvider(Clock).useValue(clock);
      return providers ? timed.overrideProvider(PaymentProviders).useValue(providers) : timed;
    };
    const world = new PaymentsWorld(await startTestContext(MODULES, override), override, clock);
    world.caller = await world.givenCompany('Acme');
    return world;
  }

  /** Opens a second process on the same database. */
  open(): Promise<OpenContext> {
    return openTestContext(this.context.config, MODULES, this.override);
  }

  close(): Promise<void> {
    return this.context.close();
  }

  async givenCompany(name: string): Promise<Caller> {
    const { companyId, userId } = await this.context.get(CreateCompany).execute(name, 'Owner');
    return { companyId, userId, apiKeyId: 0, role: 'owner' };
  }

  givenCard(providerToken: string, provider = 'sandbox'): Promise<number> {
    const input = { provider, providerToken, entityId: null };
    return this.context.get(AttachPaymentMethod).execute(this.caller, input);
  }

  /** Creates a charge of 10, with these changes. */
  charge(
    tokenId: number,
    changes: Partial<ChargeInput> = {},
    context: OpenContext = this.context,
  ): Promise<StartedOperation> {
    const rest = { amount: 10, currency: 'ILS', entityId: null, documentId: null, capture: true };
    return context.get(CreateCharge).execute(this.caller, { tokenId, ...rest, ...changes }, null);
  }

  async read(chargeId: number): Promise<ChargeRecord> {
    const charge = await this.context.get(PaymentsReader).charge(this.caller.companyId, chargeId);
    if (!charge) throw new Error(`no charge ${chargeId}`);
    return charge;
  }

  async pending(): Promise<number[]> {
    const rows = await this.context.database.query<{ id: number }>(
      `select id::int from charge_operations where state = 'PENDING' order by id`,
    );
    return rows.map(({ id }) => id);
  }

  /** Runs the worker's recovery until nothing is pending, advancing the clock by a day each time. */
  async settleAll(contexts: readonly OpenContext[] = [this.context]): Promise<void> {
    for (let day = 0; day < 20; day++) {
      const ids = await this.pending();
      if (ids.length === 0) return;
      this.clock.advance(DAY_MS);
      for (let from = 0; from < ids.length; from += 20) {
        const batch = ids.slice(from, from + 20);
        await Promise.all(
          batch.flatMap((id) => contexts.map((one) => one.get(ResolveProviderRequest).execute(id))),
        );
      }
    }
    throw new Error('some operations are still pending');
  }

  /** Returns the events of a charge, in order. */
  async eventsOf(chargeId: number): Promise<ToldEvent[]> {
    return (await this.events()).filter(({ data }) => data.charge?.id === chargeId);
  }

  async events(): Promise<ToldEvent[]> {
    const rows = await this.context.database.query<{ body: string }>(
      'select body from outbox_events order by sequence',
    );
    return rows.map(({ body }) => JSON.parse(body) as ToldEvent);
  }

  /** Returns the sandbox's requests of a charge, in order. */
  requestsOf(chargeId: number): Promise<SandboxRequest[]> {
    return this.context.database.query<SandboxRequest & Record<string, unknown>>(
      `select s.kind, s.amount::float8 as amount, s.approved, s.captured, s.sent
         from sandbox_orders s join charge_operations o on o.provider_key = s.order_key
        where o.charge_id = $1 order by o.id`,
      [chargeId],
    );
  }

  async deadlocks(): Promise<number> {
    const [row] = await this.context.database.query<{ deadlocks: number }>(
      'select deadlocks::int from pg_stat_database where datname = current_database()',
    );
    return row?.deadlocks ?? 0;
  }

  /** Returns null after the token was deleted. */
  async sealedToken(tokenId: number): Promise<string | null> {
    const [row] = await this.context.database.query<{ sealed: string | null }>(
      'select sealed_token as sealed from payment_methods where id = $1',
      [tokenId],
    );
    if (!row) throw new Error(`no card ${tokenId}`);
    return row.sealed;
  }
}
