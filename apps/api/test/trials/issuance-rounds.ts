import { setTimeout as sleep } from 'node:timers/promises';
import { type TestService, until } from '@counterfoil/test-harness';
import type { Answer } from '../http-exchange';
import { documentProblems } from './document-problems';
import { chance, type Company, companyIdOf, newCompany, oneOf, read } from './company';

const CALLERS = 50;
const SETTLERS = 20;
const RETRY_PAUSE_MS = 250;
/** Long enough to find the transaction during its commit. */
const HOLD_MS = 500;
const REPLAYED = '200 replayed';
/** The expected answers of mixed calls. Each of these must occur. */
const MIXED_ANSWERS = ['201', REPLAYED, '400 VALIDATION_FAILED', '400 UNKNOWN_REFERENCE', '500 INTERNAL'];

/** Counts of answers: a status with its code, or `200 replayed`. */
type Tally = Record<string, number>;

/** The outcome of many calls. `faults` is empty if there are none. */
export interface Outcome {
  readonly tally: Tally;
  readonly faults: readonly string[];
}

/** A company with concurrent calls through two API processes. */
export class MeetingPlace {
  private constructor(
    private readonly service: TestService,
    private readonly company: Company,
    readonly companyId: number,
  ) {}

  static async open(service: TestService, urls: readonly string[]): Promise<MeetingPlace> {
    const company = await newCompany(service, urls);
    return new MeetingPlace(service, company, await companyIdOf(service, company));
  }

  /** Makes 50 concurrent calls with one key, all with the same body or half of them with another. */
  async sameKey(round: number, bodies: 1 | 2): Promise<Outcome> {
    const key = { 'idempotency-key': `round ${round} of ${bodies}` };
    const contents = Array.from({ length: bodies }, (_, index) =>
      this.invoice({ notes: `${round}, ${index}` }),
    );
    const call = (index: number) =>
      this.company.post('/documents/create/tax-invoice', contents[index % bodies], key);
    const answers = await Promise.all(Array.from({ length: CALLERS }, (_, index) => call(index)));
    const winner = answers.findIndex(({ status }) => status === 201);
    const faults = answers.flatMap((answer, index) => {
      const said = nameOf(answer);
      const isSibling = index % bodies === winner % bodies;
      const allowed = isSibling ? [REPLAYED, '409 REQUEST_IN_PROGRESS'] : ['409 IDEMPOTENCY_KEY_REUSED'];
      if (index === winner || (allowed.includes(said) && sameAsFirst(answer, answers[winner]))) return [];
      return [`round ${round}: ${isSibling ? 'the same call' : 'another body'} was answered ${said}`];
    });
    for (let index = 0; index < bodies; index++) {
      const later = nameOf(await call(index));
      const expected = index === winner % bodies ? REPLAYED : '409 IDEMPOTENCY_KEY_REUSED';
      if (later !== expected) faults.push(`round ${round}: afterwards body ${index} was answered ${later}`);
    }
    return { tally: tallied(answers), faults };
  }

  /** Makes 50 concurrent calls with one externalId, each with a key of its own. */
  async sameExternalId(round: number): Promise<Outcome> {
    const externalId = `shared in round ${round}`;
    const call = (index: number) =>
      this.company.post('/documents/create/order', this.invoice({ externalId }), {
        'idempotency-key': `${externalId} by ${index}`,
      });
    const indexes = Array.from({ length: CALLERS }, (_, index) => index);
    const answers = await Promise.all(indexes.map(call));
    const again = await Promise.all(indexes.map(call));
    const ids = new Set(answers.map((answer) => read(answer)['id']));
    const faults = ids.size === 1 ? [] : [`round ${round}: ${ids.size} documents under one externalId`];
    answers.forEach((answer, index) => {
      const exists = answer.status === 200 && read(answer)['alreadyExists'] === true;
      if (answer.status !== 201 && !exists) faults.push(`round ${round}: ${nameOf(answer)} ${answer.text}`);
      const replay = again[index];
      if (!replay || nameOf(replay) !== REPLAYED || replay.text !== answer.text) {
        faults.push(`round ${round}: the key of caller ${index} was not kept`);
      }
    });
    return { tally: tallied(answers), faults };
  }

  /**
   * Makes 20 concurrent calls with one key or one externalId that fully settle another document. It must be
   * settled once.
   */
  async settlingOnce(turn: number, under: 'key' | 'externalId'): Promise<Outcome> {
    const { path, content } = await this.settling(turn);
    const name = `settling ${turn} under one ${under}`;
    const body = under === 'key' ? content : { ...content, externalId: name };
    const headers: Record<string, string> = under === 'key' ? { 'idempotency-key': name } : {};
    const answers = await Promise.all(
      Array.from({ length: SETTLERS }, () => this.company.post(path, body, headers)),
    );
    const said = answers.map(nameOf);
    const allowed = under === 'key' ? [REPLAYED, '409 REQUEST_IN_PROGRESS'] : ['200'];
    const faults = said
      .filter((one) => one !== '201' && !allowed.includes(one))
      .map((one) => `${name}: ${path} was answered ${one}`);
    const issued = said.filter((one) => one === '201').length;
    if (issued !== 1) faults.push(`${name}: ${path} issued ${issued}`);
    return { tally: tallied(answers), faults };
  }

  /**
   * Returns a call that settles a newly issued document: a receipt, a credit note, or an invoice that covers
   * it.
   */
  private async settling(turn: number): Promise<{ readonly path: string; readonly content: object }> {
    const create = '/documents/create';
    const target = turn % 3 === 2 ? 'order' : 'tax-invoice';
    const answer = await this.company.post(`${create}/${target}`, this.invoice());
    const { id, totalWithTax } = read<{ id: number; totalWithTax: number }>(answer);
    const payment = {
      entityId: this.company.entityId,
      payments: [{ method: 'CASH', amount: totalWithTax }],
      allocations: [{ documentId: id, amount: totalWithTax }],
    };
    const ways = [
      { path: `${create}/receipt`, content: payment },
      { path: `${create}/refund`, content: this.invoice({ refundOf: id }) },
      { path: `${create}/tax-invoice`, content: this.invoice({ linkedDocumentIds: [id] }) },
    ];
    return ways[turn % ways.length] ?? { path: '', content: {} };
  }

  /**
   * Makes calls that succeed, are refused, fail at the commit or are repeated, with `callers` concurrent
   * callers.
   */
  async mixed(calls: number, callers: number): Promise<Outcome> {
    const answers: Answer[] = [];
    let begun = 0;
    const caller = async () => {
      while (begun++ < calls) answers.push(await this.anyCall(begun));
    };
    await Promise.all(Array.from({ length: callers }, caller));
    const tally = tallied(answers);
    const missing = MIXED_ANSWERS.filter((said) => !(said in tally));
    return { tally, faults: missing.map((said) => `none of ${calls} mixed calls was answered ${said}`) };
  }

  private anyCall(turn: number): Promise<Answer> {
    const path = `/documents/create/${chance(0.5) ? 'tax-invoice' : 'order'}`;
    const fresh = { 'idempotency-key': `mixed ${turn}` };
    const calls: readonly (() => Promise<Answer>)[] = [
      () => this.company.post(path, this.invoice()),
      () => this.company.post(path, this.invoice(), fresh),
      // Calls with a repeated key: some meet the running first call, most come after it.
      () =>
        this.company.post('/documents/create/quote', this.invoice(), {
          'idempotency-key': `few ${oneOf(200)}`,
        }),
      () => this.company.post(path, this.invoice({ notes: 'refuse' }), fresh),
      () => this.company.post(path, this.invoice({ entityId: 999_999_999 }), fresh),
      () => this.company.post(path, this.invoice({ items: [] }), fresh),
      () => this.company.post(path, this.invoice({ linkedDocumentIds: [999_999_999] }), fresh),
    ];
    return calls[oneOf(calls.length)]?.() ?? Promise.reject(new Error('no call'));
  }

  /**
   * Issues a document while a foreign transaction locks the company's changes, and repeats the call until the
   * lock is released. The call must not run twice.
   */
  async stalled(stallMs: number): Promise<Outcome> {
    const content = this.invoice({ externalId: 'stalled' });
    const call = () =>
      this.company.post('/documents/create/tax-invoice', content, { 'idempotency-key': 'stalled' });
    await this.company.post('/documents/create/tax-invoice', this.invoice());
    const held = this.service.database.hold(`select lock_documents(${this.companyId})`);
    await held.ready;
    const stalledUntil = performance.now() + stallMs;
    const answers: Promise<Answer>[] = [call()];
    while (performance.now() < stalledUntil) {
      await sleep(RETRY_PAUSE_MS);
      answers.push(call());
    }
    await held.release();
    const given = await Promise.all(answers);
    const last = await call();
    const issued = given.filter(({ status }) => status === 201).length;
    const faults = given
      .filter((answer) => answer.status !== 201 && nameOf(answer) !== REPLAYED && !isToTryAgain(answer))
      .map(
        (answer) => `while it was stalled: ${nameOf(answer)}, Retry-After ${answer.headers['retry-after']}`,
      );
    if (issued > 1) faults.push(`${issued} of the stalled calls issued`);
    const expected = issued === 1 ? REPLAYED : '201';
    if (nameOf(last) !== expected) faults.push(`after the stall: ${nameOf(last)}, not ${expected}`);
    return { tally: tallied(given), faults };
  }

  /** Terminates the database backend of a call during its commit, and repeats the call at once. */
  async backendLost(turn: number): Promise<Outcome> {
    const content = this.invoice({ externalId: `lost ${turn}`, notes: `hold:${HOLD_MS}` });
    const call = () =>
      this.company.post('/documents/create/tax-invoice', content, { 'idempotency-key': `lost ${turn}` });
    const first = call();
    const ended = await until('a commit that is held', async () => {
      const [row] = await this.service.database.query<{ ended: boolean }>(
        `select pg_terminate_backend(pid) as ended from pg_stat_activity
          where datname = current_database() and wait_event = 'PgSleep'`,
      );
      return row?.ended;
    });
    const lost = await first;
    const since = performance.now();
    // The transaction of the first call is gone, so this one is not told to wait. It is delayed at its own
    // commit.
    const again = await call();
    const tookMs = performance.now() - since - HOLD_MS;
    const faults = [
      ...(ended && [500, 503].includes(lost.status)
        ? []
        : [`the call that lost its database: ${nameOf(lost)}`]),
      ...(again.status === 201 && tookMs < 1_000 ? [] : [`its retry: ${nameOf(again)} after ${tookMs} ms`]),
    ];
    return { tally: tallied([lost, again]), faults };
  }

  /**
   * Returns descriptions of gaps or duplicates in the numbers, and of documents without exactly one event.
   */
  inconsistencies(): Promise<string[]> {
    return documentProblems(this.service.database, this.companyId);
  }

  async documents(): Promise<number> {
    const sql = 'select count(*)::int as count from documents where company_id = $1';
    const [row] = await this.service.database.query<{ count: number }>(sql, [this.companyId]);
    return row?.count ?? 0;
  }

  private invoice(more: object = {}): object {
    const items = [{ description: 'Consulting', quantity: 1, unitPrice: 100 }];
    return { entityId: this.company.entityId, items, ...more };
  }
}

/** True if the call, or an earlier one with the key, is in progress, and the answer has a Retry-After. */
const isToTryAgain = ({ status, headers, text }: Answer) =>
  (status === 503 || text.includes('REQUEST_IN_PROGRESS')) && 'retry-after' in headers;

const sameAsFirst = ({ status, text }: Answer, first: Answer | undefined) =>
  status !== 200 || text === first?.text;

function nameOf({ status, headers, text }: Answer): string {
  if (headers['idempotent-replay'] === 'true') return `${status} replayed`;
  return status < 400 ? `${status}` : `${status} ${String(JSON.parse(text).code)}`;
}

function tallied(answers: readonly Answer[]): Tally {
  const tally: Tally = {};
  for (const answer of answers) tally[nameOf(answer)] = (tally[nameOf(answer)] ?? 0) + 1;
  return tally;
}

/** Runs rounds one after the other, and sums up their outcomes. */
export async function rounds(count: number, round: (turn: number) => Promise<Outcome>): Promise<Outcome> {
  const tally: Tally = {};
  const faults: string[] = [];
  for (let turn = 1; turn <= count; turn++) {
    const outcome = await round(turn);
    for (const [name, times] of Object.entries(outcome.tally)) tally[name] = (tally[name] ?? 0) + times;
    faults.push(...outcome.faults);
  }
  return { tally, faults };
}
