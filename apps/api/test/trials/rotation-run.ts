import { setTimeout as sleep } from 'node:timers/promises';
import { SecretBox } from '@counterfoil/secrets';
import { type AdminOutcome, type ReceivedEvent, type TestStore, until } from '@counterfoil/test-harness';
import { verifyWebhook } from '@counterfoil/webhook-verifier';
import { IssuedBefore } from './rotation-evidence';
import { FORMER, RotationSite, STEPS } from './rotation-site';
import { unmovedSecrets } from './unmoved-secrets';

const ENDPOINTS = 10;
/** Below the maximum of a company. */
const CHANGING_MAX = 40;
const SENDERS = 4;
const PROGRESS_MAX_MS = 60_000;
const DRAIN_MAX_MS = 120_000;

export interface RotationPlan {
  /** Deliveries from the first restart to the last one, at least. */
  readonly deliveries: number;
  /** Between two events of each of the senders. */
  readonly pauseMs: number;
  /** Endpoints and cards that are re-encrypted beside those that are used. */
  readonly rows: number;
}

export interface RotationReport {
  readonly events: number;
  readonly deliveries: number;
  readonly duringCommands: number;
  /** Requests without a signature of their endpoint. */
  readonly unverifiable: number;
  /** Events that an endpoint did not get. */
  readonly lost: number;
  /** The row and output of each run of the command: interrupted, two at once, and once more. */
  readonly runs: readonly AdminOutcome[];
  /** Stored secrets that are not encrypted with the new key, wherever they are in the database. */
  readonly unmoved: readonly string[];
  /** The state of the cursor, link, stream and card of before, after each step. */
  readonly before: Readonly<Record<string, object>>;
}

interface Endpoint {
  readonly id: string;
  readonly path: string;
  /** Its secrets, the newest last. */
  readonly secrets: string[];
}

/** Rotates `SECRETS_KEY` as docs/operations.md says, while events are delivered and secrets are made and changed. */
export async function runRotation(store: TestStore, plan: RotationPlan): Promise<RotationReport> {
  const site = await RotationSite.open(store);
  try {
    return await new RotationRun(site, plan).run();
  } finally {
    await site.close();
  }
}

class RotationRun {
  private readonly endpoints: Endpoint[] = [];
  private readonly changing: Endpoint[] = [];
  private readonly known = new Map<string, Endpoint>();
  private isOver = false;
  private sent = 0;

  constructor(
    private readonly site: RotationSite,
    private readonly plan: RotationPlan,
  ) {}

  async run(): Promise<RotationReport> {
    const { site } = this;
    for (let count = 1; count <= ENDPOINTS; count += 1) await this.register();
    await this.addRows();
    const issued = await IssuedBefore.collect(site);
    const before: Record<string, object> = {};
    const senders = Array.from({ length: SENDERS }, () => this.send());
    const { ownerKey } = await site.createCompany('Changing');
    const writer = this.changeSecrets(ownerKey);
    await site.restart(STEPS.added);
    before['key added'] = await issued.state();
    await site.restart(STEPS.first);
    before['key first'] = await issued.state();
    const sentBefore = this.sent;
    const runs = await this.rotate();
    const duringCommands = (this.sent - sentBefore) * ENDPOINTS;
    before['re-encrypted'] = await issued.state();
    await until('the deliveries', () => this.sent * ENDPOINTS >= this.plan.deliveries, DRAIN_MAX_MS);
    this.isOver = true;
    await Promise.all([...senders, writer]);
    const last = await site.rotate(STEPS.first).outcome();
    await site.restart(STEPS.alone);
    before['old key removed'] = await issued.stateInTheEnd();
    await this.send(SENDERS);
    for (const endpoint of this.changing) await this.test(endpoint, ownerKey);
    return { ...(await this.outcome()), duringCommands, runs: [...runs, last], before };
  }

  /** @param count stops after so many events; otherwise when the run is over */
  private async send(count = Infinity): Promise<void> {
    for (let made = 0; made < count && (count < Infinity || !this.isOver); made += 1) {
      const { status } = await this.site.call('POST', '/webhooks/trigger', { type: 'document.created' });
      if (status >= 300) throw new Error(`the event was answered ${status}`);
      this.sent += 1;
      await sleep(this.plan.pauseMs);
    }
  }

  /** Registers endpoints and changes their secrets, in all processes: those with the old key first, too. */
  private async changeSecrets(ownerKey: string): Promise<void> {
    while (!this.isOver) {
      const endpoint = await this.register(ownerKey, this.changing);
      for (let change = 0; change < 2; change += 1) {
        const path = `/webhooks/${endpoint.id}/rotate-secret`;
        const { body } = await this.site.call<{ secret: string }>('POST', path, {}, ownerKey);
        endpoint.secrets.push(body.secret);
      }
      await this.test(endpoint, ownerKey);
      if (this.changing.length < CHANGING_MAX) continue;
      // Not the newest one: a request to it may be under way.
      const [oldest] = this.changing.splice(0, 1);
      await this.site.call('DELETE', `/webhooks/${oldest?.id}`, undefined, ownerKey);
    }
  }

  private async test({ id }: Endpoint, key: string): Promise<void> {
    await this.site.call('POST', `/webhooks/${id}/test`, {}, key);
  }

  private async register(key?: string, into = this.endpoints): Promise<Endpoint> {
    const path = `/hook/${into === this.endpoints ? 'fixed' : 'changing'}/${into.length}-${Math.random()}`;
    const url = new URL(path, this.site.receiver.url).href;
    const { body } = await this.site.call<{ id: string; secret: string }>(
      'POST',
      '/webhooks',
      { url, events: ['document.created'] },
      key,
    );
    const endpoint = { id: body.id, path, secrets: [body.secret] };
    into.push(endpoint);
    this.known.set(path, endpoint);
    return endpoint;
  }

  /** Adds endpoints of another company that get no events, and cards that nobody charges. */
  private async addRows(): Promise<void> {
    const { companyId } = await this.site.createCompany('Idle');
    const sealed = (purpose: string) => {
      const box = new SecretBox(FORMER, purpose);
      return Array.from({ length: this.plan.rows }, (_, at) => box.seal(`secret ${at}`));
    };
    await this.site.database.query(
      `insert into webhook_endpoints (id, company_id, url, events, secret_sealed, former_secrets, created_at)
       select 'we_idle' || n, $1, 'https://example.com', '{}', sealed,
              jsonb_build_array(jsonb_build_object('sealed', sealed, 'until', now() + interval '1 day')), now()
         from unnest($2::text[]) with ordinality as s (sealed, n)`,
      [companyId, sealed('webhook-signing-secrets')],
    );
    await this.site.database.query(
      `insert into payment_methods (company_id, provider, sealed_token, brand, last4, expiry_month, expiry_year, saved,
         created_at)
       select $1, 'sandbox', sealed, 'VISA', '4242', 12, 2034, true, now() from unnest($2::text[]) as sealed`,
      [companyId, sealed('card-tokens')],
    );
  }

  /** Runs the command, kills it on its way, runs two at once, and once more. */
  private async rotate(): Promise<AdminOutcome[]> {
    const interrupted = this.site.rotate(STEPS.first);
    await until('progress', () => interrupted.progress.includes('encrypted again'), PROGRESS_MAX_MS);
    await interrupted.kill();
    const both = await Promise.all(
      [STEPS.first, STEPS.first].map((keys) => this.site.rotate(keys).outcome()),
    );
    return [await interrupted.outcome(), ...both];
  }

  private async outcome() {
    const { database, receiver } = this.site;
    const pending = async () => {
      const [row] = await database.query<{ count: number }>(
        `select count(*)::int as count from webhook_deliveries where state in ('pending', 'waiting')`,
      );
      return row?.count === 0;
    };
    await until('the last delivery', pending, DRAIN_MAX_MS);
    const events = await database.query<{ id: string }>(
      `select o.id from outbox_events o where o.company_id = (select min(id) from companies) and o.type = 'document.created' and body like '%"test":true%'`,
    );
    const arrived = new Set(
      receiver.received.map(({ path, headers }) => `${path} ${String(headers['webhook-id'])}`),
    );
    const expected = events.flatMap(({ id }) => this.endpoints.map(({ path }) => `${path} ${id}`));
    return {
      events: events.length,
      deliveries: receiver.received.length,
      unverifiable: receiver.received.filter((request) => !this.isGenuine(request)).length,
      lost: expected.filter((one) => !arrived.has(one)).length,
      unmoved: await unmovedSecrets(database),
    };
  }

  /**
   * Every secret that an endpoint has had still signs, because the rotations of the secrets overlap. The time of a
   * signature is compared with that of the arrival: the run takes longer than a signature is recent.
   */
  private isGenuine({ path, headers, body, at }: ReceivedEvent): boolean {
    const secret = this.known.get(path)?.secrets ?? [];
    try {
      return verifyWebhook({ headers, body, secret, now: at }).id === headers['webhook-id'];
    } catch {
      return false;
    }
  }
}
