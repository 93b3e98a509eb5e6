import { AppError } from '@counterfoil/kernel';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import type { DocumentHeader } from '../domain/document';
import { DOCUMENT_TYPES } from '../domain/document-type';
import { DocumentsModule } from '../documents.module';
import { faultsIn } from '../testing/books';
import { givenCompany } from '../testing/given-company';
import { LifeCycle } from '../testing/life-cycle';
import { DocumentReader } from './ports/document.reader';

const OPERATIONS = 2_500;
const CLIENTS = 24;
/** Only a few documents are used at a time, so that concurrent changes conflict. */
const IN_PLAY = 12;
/** The allowed refusals when everything happens concurrently. */
const REFUSALS = ['VALIDATION_FAILED', 'INVALID_STATE'];

/** Returns a generator of deterministic pseudo-random numbers. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 15), state | 1);
    return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
  };
}

const isReceipt = (type: string) => type === 'RECEIPT';
const isOwed = (type: string) => ['TAX_INVOICE', 'ORDER', 'PROFORMA', 'DELIVERY_NOTE'].includes(type);

/** Makes random changes to random documents. */
class Crowd {
  readonly counts = new Map<string, number>();
  private readonly inPlay: DocumentHeader[] = [];

  constructor(
    private readonly documents: LifeCycle,
    private readonly random: () => number,
  ) {}

  async begin(): Promise<void> {
    this.remember(await this.documents.issueOver(10));
    this.remember(await this.documents.receipt(10));
  }

  async act(): Promise<void> {
    const [name, work] = this.pick([
      ['issue', () => this.issue()],
      ['issue', () => this.issue()],
      ['receipt', () => this.receipt()],
      ['allocate', () => this.allocate()],
      ['allocate', () => this.allocate()],
      ['allocate', () => this.allocate()],
      ['cover', () => this.cover()],
      ['credit', () => this.credit()],
      ['cancel', () => this.cancel()],
      ['close', () => this.close()],
    ] as const);
    const outcome = await work().then(
      (document) => {
        this.remember(document);
        return 'done';
      },
      (error: unknown) => {
        if (!(error instanceof AppError) || !REFUSALS.includes(error.code)) throw error;
        return 'refused';
      },
    );
    const key = `${name} ${outcome}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  private issue(): Promise<DocumentHeader> {
    return this.documents.issueOver(
      this.amount(),
      this.pick(DOCUMENT_TYPES.filter((type) => type !== 'RECEIPT')),
    );
  }

  private receipt(): Promise<DocumentHeader> {
    const allocations = [{ documentId: this.some(isOwed).id, amount: this.amount() }];
    return this.documents.receipt(20, this.random() < 0.7 ? {} : { allocations });
  }

  private async allocate(): Promise<DocumentHeader> {
    const targets = this.random() < 0.5 ? [this.some(isOwed)] : [this.some(isOwed), this.some(isOwed)];
    const to = targets.map((one) => [one, Math.ceil(this.amount() * 20) / 100] as const);
    return (await this.documents.allocate(this.some(isReceipt), ...to)).receipt;
  }

  private cover(): Promise<DocumentHeader> {
    const linkedDocumentIds = [...new Set([this.some(isOwed).id, this.some(isOwed).id])];
    if (this.random() < 0.4) return this.documents.receipt(15, { linkedDocumentIds });
    const type = this.pick(['TAX_INVOICE', 'ORDER', 'TAX_INVOICE_RECEIPT'] as const);
    return this.documents.issueOver(this.amount(), type, { linkedDocumentIds });
  }

  private credit(): Promise<DocumentHeader> {
    const refundOf = this.some(isOwed).id;
    return this.documents.issueOver(Math.ceil(this.amount() * 30) / 100, this.pick(['REFUND', 'RETURN']), {
      refundOf,
    });
  }

  private cancel(): Promise<DocumentHeader> {
    return this.documents.cancel(this.some((type) => isReceipt(type) || ['REFUND', 'RETURN'].includes(type)));
  }

  private close(): Promise<DocumentHeader> {
    return this.documents.close(this.pick(this.inPlay));
  }

  private remember(document: DocumentHeader): void {
    if (this.inPlay.some(({ id }) => id === document.id)) return;
    if (this.inPlay.length >= IN_PLAY) this.inPlay.splice(Math.floor(this.random() * IN_PLAY), 1);
    this.inPlay.push(document);
  }

  /** Returns a document in use, usually a matching one. */
  private some(fits: (type: string) => boolean): DocumentHeader {
    const fitting = this.inPlay.filter(({ type }) => fits(type));
    return this.pick(fitting.length > 0 && this.random() < 0.9 ? fitting : this.inPlay);
  }

  /** Returns agorot, so that rounding errors of floating-point sums would show. Sometimes 0. */
  private amount(): number {
    return this.random() < 0.02 ? 0.02 : Math.ceil(this.random() * 400) / 50;
  }

  private pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.random() * choices.length)] as T;
  }
}

describe('concurrent changes of the documents of a company', () => {
  let context: TestContext;

  beforeAll(async () => {
    context = await startTestContext([DocumentsModule]);
  });
  afterAll(() => context.close());

  it(`keep its books consistent: ${OPERATIONS} operations by ${CLIENTS} clients`, async () => {
    const documents = new LifeCycle(context, await givenCompany(context));
    const random = randomFrom(20_261_121);
    const crowd = new Crowd(documents, random);
    await crowd.begin();
    let left = OPERATIONS;
    const client = async () => {
      while (left-- > 0) await crowd.act();
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));

    expect(await faultsIn(context.database, documents.companyId)).toEqual({});
    await expectExactTotals(documents.companyId);
    // Every kind of operation succeeded at least once and was refused at least once.
    for (const name of ['receipt', 'allocate', 'cover', 'credit', 'cancel', 'close']) {
      expect(crowd.counts.get(`${name} done`)).toBeGreaterThan(20);
      expect(crowd.counts.get(`${name} refused`)).toBeGreaterThan(5);
    }
    const [changes] = await context.database.query<{ opened: number }>(
      'select max(change_number)::int as opened from documents where company_id = $1',
      [documents.companyId],
    );
    const done = [...crowd.counts].filter(([key]) => key.endsWith('done')).reduce((sum, [, n]) => sum + n, 0);
    // One change for each successful operation, and none for the others.
    expect(changes?.opened).toBe(2 + done);
  }, 120_000);

  /** From every 100th change on, the reader counts the documents. */
  async function expectExactTotals(companyId: number): Promise<void> {
    const rows = await context.database.query<{ place: number; left: number }>(
      `select place::int, (select count(*)::int from documents where company_id = $1 and change_number > place) as left
         from generate_series(0, (select max(change_number) from documents where company_id = $1), 100) place`,
      [companyId],
    );
    const reader = context.get(DocumentReader);
    for (const { place, left } of rows) {
      const position = { changeNumber: place, documentId: Number.MAX_SAFE_INTEGER };
      expect(await reader.changedSince(companyId, {}, position, 1)).toMatchObject({ total: left });
    }
    expect(rows.length).toBeGreaterThan(10);
  }

  it('do not wait for those of another company', async () => {
    const [mine, theirs] = [
      new LifeCycle(context, await givenCompany(context, 'Mine')),
      new LifeCycle(context, await givenCompany(context, 'Theirs')),
    ];
    const invoices = [await mine.issueOver(10), await theirs.issueOver(10)] as const;
    const held = context.database.hold(`select lock_documents(${mine.companyId})`);
    await held.ready;
    let closed = false;
    const waiting = mine.close(invoices[0]).then(() => (closed = true));
    await theirs.close(invoices[1]);
    expect(closed).toBe(false);
    await held.release();
    await waiting;
    for (const one of [mine, theirs]) expect(await faultsIn(context.database, one.companyId)).toEqual({});
  });
});
