import { setTimeout as sleep } from 'node:timers/promises';
import { EditCompany } from '@counterfoil/identity';
import { Clock, LEASE_MS, plainDateOf } from '@counterfoil/kernel';
import { JobQueue } from '@counterfoil/queue';
import { startTestContext, type TestContext, until } from '@counterfoil/test-harness';
import { SandboxTaxAuthority } from '../adapters/tax-authority/sandbox-tax-authority';
import { DocumentsModule } from '../documents.module';
import type { DocumentHeader } from '../domain/document';
import type { NewDocument } from '../domain/draft-document';
import { snapshotOf } from './document-snapshot';
import { assigned, FakeTaxAuthority, LATER, REFUSED } from '../testing/fake-tax-authority';
import { anInvoice, type GivenCompany, givenClient, givenCompany } from '../testing/given-company';
import { OffsetClock } from '../testing/offset-clock';
import { RecordingQueue } from '../testing/recording-queue';
import { AssignAllocationNumber } from './assign-allocation-number';
import { IssueDocument } from './issue-document';
import { DOCUMENT_JOBS } from './jobs';
import { AllocationNumberRequests } from './ports/allocation-number-requests';
import { DocumentReader } from './ports/document.reader';
import { TaxAuthority } from './ports/tax-authority';
import { RequestAllocationNumber } from './request-allocation-number';
import { RecoverAllocationNumbers } from './recover-allocation-numbers';

const NUMBER = '078091822';
const HOUR_MS = 3_600_000;

describe('the allocation number of a document', () => {
  let context: TestContext;
  let company: GivenCompany;
  const authority = new FakeTaxAuthority();
  const clock = new OffsetClock();
  const queue = new RecordingQueue();

  const start = (env: Readonly<Record<string, string>> = {}) =>
    startTestContext(
      [DocumentsModule],
      (builder) =>
        builder
          .overrideProvider(TaxAuthority)
          .useValue(authority)
          .overrideProvider(Clock)
          .useValue(clock)
          .overrideProvider(JobQueue)
          .useValue(queue),
      env,
    );

  beforeAll(async () => {
    context = await start({ SCHEDULER_INTERVAL: '5s' });
  });
  afterAll(() => context.close());
  beforeEach(async () => {
    await context.database.query('truncate document_approvals');
    authority.asked.length = 0;
    authority.answer = () => assigned(NUMBER);
    queue.documentIds.length = 0;
    queue.away = false;
    company = await givenCompany(context);
  });

  /** An invoice over 5,000.01, on a day with a threshold of 5,000, with these changes. */
  const large = (changes: Partial<NewDocument> = {}) =>
    anInvoice(company.entityId, { issueDate: '2026-06-01', ...over(5_000.01), ...changes });
  const over = (unitPrice: number) => ({ items: [{ description: 'Work', quantity: 1, unitPrice }] });

  async function issue(asked: NewDocument = large()): Promise<DocumentHeader> {
    return (await context.get(IssueDocument).execute(company.caller, asked)).document;
  }

  const ask = () => context.get(RequestAllocationNumber).execute();

  /** Starts a request that ends when `answer` is called. */
  async function askSlowly() {
    const answer = authority.hold();
    const asking = ask();
    await until('the ask', () => authority.asked.length > 0);
    return { answer, asking };
  }

  const byHand = ({ visibleId }: DocumentHeader, number = NUMBER, { caller } = company) =>
    context.get(AssignAllocationNumber).execute(caller.companyId, visibleId, number);

  async function found({ id }: DocumentHeader): Promise<DocumentHeader> {
    const { companyId } = company.caller;
    const start = { changeNumber: 0, documentId: 0 };
    const feed = await context.get(DocumentReader).changedSince(companyId, {}, start, 1_000);
    const document = feed.documents.find((one) => one.id === id);
    if (!document) throw new Error(`document ${id} is not in the feed`);
    return document;
  }

  async function eventsOf(
    { visibleId }: DocumentHeader,
    type = 'document.approval_number.assigned',
  ): Promise<unknown[]> {
    const rows = await context.database.query<{ data: unknown }>(
      `select body::jsonb -> 'data' as data from outbox_events
        where type = $1 and body::jsonb #>> '{data,document,id}' = $2`,
      [type, visibleId],
    );
    return rows.map(({ data }) => data);
  }

  async function due(): Promise<number[]> {
    queue.documentIds.length = 0;
    await context.get(RecoverAllocationNumbers).execute();
    return [...queue.documentIds];
  }

  /** Leases use the clock of the server, which a test cannot set. */
  const ageLeases = (ms: number) =>
    context.database.query('update document_approvals set lease_until = lease_until - $1::interval', [
      `${ms} milliseconds`,
    ]);

  async function nextAttemptInMs({ id }: DocumentHeader): Promise<number> {
    const sql = 'select next_attempt_at as next from document_approvals where document_id = $1';
    const [row] = await context.database.query<{ next: Date }>(sql, [id]);
    return (row?.next.getTime() ?? NaN) - clock.now().getTime();
  }

  const stateOf = (document: DocumentHeader) => ({
    ...snapshotOf(document),
    changeNumber: document.changeNumber,
  });

  async function expectUnchanged(document: DocumentHeader): Promise<void> {
    expect(stateOf(await found(document))).toEqual(stateOf(document));
  }

  async function expectAssignedOnce(before: DocumentHeader, number = NUMBER): Promise<DocumentHeader> {
    const after = await found(before);
    expect(after).toMatchObject({ allocationNumber: number, allocationNumberStatus: null });
    expect(after.changeNumber).toBeGreaterThan(before.changeNumber);
    expect(after.updatedAt.getTime()).toBeGreaterThanOrEqual(before.updatedAt.getTime());
    expect(await eventsOf(before)).toEqual([{ document: snapshotOf(after) }]);
    clock.advance(2 * HOUR_MS);
    expect(await due()).not.toContain(before.id);
    return after;
  }

  describe('is needed', () => {
    it('for a large tax invoice, which the response, the snapshot and the feed show', async () => {
      const document = await issue();
      expect(document).toMatchObject({ allocationNumberStatus: 'PENDING', allocationNumber: null });
      expect(await eventsOf(document, 'document.created')).toEqual([
        { document: expect.objectContaining({ approvalNumberStatus: 'PENDING' }) },
      ]);
      expect(await found(document)).toMatchObject({ allocationNumberStatus: 'PENDING' });
    });

    it.each([
      ['a tax invoice', {}, 'PENDING'],
      ['at the threshold exactly', over(5_000), null],
      ['the day before, when the threshold was higher', { issueDate: '2026-05-31' }, null],
      ['the day before, over that', { issueDate: '2026-05-31', ...over(10_000.01) }, 'PENDING'],
      ['a quote', { type: 'QUOTE' }, null],
      ['a proforma', { type: 'PROFORMA' }, null],
      ['a credit note', { type: 'REFUND' }, null],
      ['in dollars', { currency: 'USD' }, null],
    ] as const)('not for others: %s', async (_, changes, status) => {
      const document = await issue(large(changes));
      expect(document.allocationNumberStatus).toBe(status);
      expect(queue.documentIds).toEqual(status === null ? [] : [document.id]);
    });

    it('for an invoice-receipt', async () => {
      const payments = [{ method: 'CASH' as const, amount: 5_900.01 }];
      const document = await issue(large({ type: 'TAX_INVOICE_RECEIPT', payments }));
      expect(document.allocationNumberStatus).toBe('PENDING');
    });

    it('for a customer who may deduct VAT', async () => {
      for (const [type, status] of [['MURSHE', 'PENDING'] as const, ['PATOOR', null] as const]) {
        const entityId = await givenClient(context, company.caller, type);
        expect((await issue(large({ entityId }))).allocationNumberStatus).toBe(status);
      }
    });

    it('never without a configured authority', async () => {
      const off = await start({ ALLOCATION_NUMBERS: 'off' });
      try {
        const { caller, entityId } = await givenCompany(off);
        const { document } = await off.get(IssueDocument).execute(caller, { ...large(), entityId });
        expect(document.allocationNumberStatus).toBeNull();
        expect(queue.documentIds).toEqual([]);
      } finally {
        await off.close();
      }
    });
  });

  describe('is requested', () => {
    it('after the commit, without an open transaction, with the data of the document', async () => {
      await context.get(EditCompany).execute(company.caller, { taxId: '777777715' });
      const document = await issue();
      expect(queue.documentIds).toEqual([document.id]);
      expect(authority.asked).toEqual([]);
      authority.answer = async () => {
        const open = await context.database.query(
          `select query from pg_stat_activity
            where datname = current_database() and state like 'idle in transaction%'`,
        );
        expect(open).toEqual([]);
        return assigned(NUMBER);
      };
      await ask();
      expect(authority.asked).toEqual([
        {
          ...{ documentVisibleId: document.visibleId, type: 'TAX_INVOICE', number: document.number },
          ...{ issueDate: '2026-06-01', issuedOn: plainDateOf(document.createdAt), currency: 'ILS' },
          ...{ amount: 5_000.01, tax: 900, attempt: 1 },
          ...{ companyTaxId: '777777715', companyName: 'Acme' },
          ...{ customerTaxId: '514000000', customerName: 'Client' },
        },
      ]);
      await expectAssignedOnce(document);
    });

    it('for the parties that the document names, whatever they are called now (contract §8.13)', async () => {
      const { caller, entityId } = company;
      await context.get(EditCompany).execute(caller, { taxId: '777777715' });
      await issue();
      await context.get(EditCompany).execute(caller, { name: 'Acme Holding', taxId: '514000001' });
      await context.database.query(`update entities set name = 'Heirs', tax_id = '515555555' where id = $1`, [
        entityId,
      ]);
      await ask();
      expect(authority.asked).toMatchObject([
        {
          ...{ companyTaxId: '777777715', companyName: 'Acme' },
          ...{ customerTaxId: '514000000', customerName: 'Client' },
        },
      ]);
    });

    it('never for a document that was rolled back', async () => {
      await context.database.query(`
        create function refuse() returns trigger language plpgsql as $$ begin raise 'refused at the commit'; end $$;
        create constraint trigger refuse after insert on documents deferrable initially deferred
          for each row when (new.notes = 'refuse') execute function refuse()`);
      await expect(issue(large({ notes: 'refuse' }))).rejects.toThrow('refused at the commit');
      expect(queue.documentIds).toEqual([]);
      expect(await due()).toEqual([]);
    });

    it("without the company's tax number, which the authority has to check", async () => {
      await issue();
      await ask();
      expect(authority.asked).toMatchObject([{ companyTaxId: null }]);
    });

    it('although the queue was unavailable or lost the job', async () => {
      queue.away = true;
      const document = await issue();
      await due();
      queue.away = false;
      expect(await due()).toEqual([document.id]);
      expect(await due()).toEqual([document.id]);
    });

    it('once by two concurrent workers, and not again', async () => {
      const document = await issue();
      const answer = authority.hold();
      const asking = [ask(), ask(), ask()];
      await until('the ask', () => authority.asked.length > 0);
      expect(await due()).toEqual([]);
      answer(assigned(NUMBER));
      await Promise.all(asking);
      await ask();
      expect(authority.asked).toHaveLength(1);
      await expectAssignedOnce(document);
    });

    it('once, however long the authority takes: the claim is renewed', async () => {
      const document = await issue();
      const { answer, asking } = await askSlowly();
      await sleep(LEASE_MS + 1_000);
      expect(await due()).toEqual([]);
      answer(assigned(NUMBER));
      await asking;
      await expectAssignedOnce(document);
    });

    it('again soon after a claim whose end could not be written', async () => {
      const document = await issue();
      authority.answer = () => LATER;
      const postpone = jest.spyOn(context.get(AllocationNumberRequests), 'postpone');
      postpone.mockRejectedValue(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }));
      await expect(ask()).rejects.toMatchObject({ code: 'ETIMEDOUT' });
      postpone.mockRestore();
      await until('the end of the lease', async () => (await due()).includes(document.id), LEASE_MS + 1_000);
      authority.answer = () => assigned(NUMBER);
      await ask();
      await expectAssignedOnce(document);
    });

    it('again, as the same attempt, after the worker has died and its lease has ended', async () => {
      const document = await issue();
      const { answer: late, asking: dead } = await askSlowly();
      expect(await due()).toEqual([]);
      await ageLeases(LEASE_MS + 1);
      expect(await due()).toEqual([document.id]);
      authority.answer = () => assigned(NUMBER);
      await ask();
      expect(authority.asked.map(({ attempt }) => attempt)).toEqual([1, 1]);
      await expectAssignedOnce(document);
      late(LATER);
      await dead;
    });

    it('for companies in turn: thousands of one do not delay another', async () => {
      const CROWD = 300;
      for (let count = 0; count < CROWD; count++) await issue();
      const other = await givenCompany(context, 'Other');
      const { entityId } = other;
      const { document } = await context.get(IssueDocument).execute(other.caller, { ...large(), entityId });
      const jobs = queue.documentIds.splice(0);
      expect(jobs).toHaveLength(CROWD + 1);
      authority.answer = () => new Promise((resolve) => setImmediate(() => resolve(assigned(NUMBER))));
      const work = async () => {
        while (jobs.shift() !== undefined) await ask();
      };
      await Promise.all(Array.from({ length: DOCUMENT_JOBS['approval.request'].concurrency }, work));
      const asked = authority.asked.map(({ documentVisibleId }) => documentVisibleId);
      expect(asked).toHaveLength(CROWD + 1);
      expect(asked.indexOf(document.visibleId)).toBeLessThan(10);
      expect(await due()).toEqual([]);
    }, 30_000);

    it('with delays that double, up to an hour', async () => {
      const document = await issue();
      authority.answer = () => Promise.reject(new Error('away'));
      const pauses: number[] = [];
      for (let attempt = 1; attempt <= 12; attempt++) {
        await ask();
        const pauseMs = await nextAttemptInMs(document);
        pauses.push(Math.round(pauseMs / 1_000));
        await ask();
        expect(authority.asked).toHaveLength(attempt);
        expect(await due()).toEqual([]);
        clock.advance(pauseMs + 1);
        expect(await due()).toEqual([document.id]);
      }
      expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600]);
      await expectUnchanged(document);
    });
  });

  describe('is given by the sandbox', () => {
    const sandbox = (mode: 'now' | 'later' | 'never' | 'error') => {
      const made = new SandboxTaxAuthority(mode);
      authority.answer = (invoice) => made.request(invoice);
    };

    it('now', async () => {
      sandbox('now');
      const document = await issue();
      await ask();
      const { allocationNumber } = await found(document);
      expect(allocationNumber).toMatch(/^\d{9}$/);
      await expectAssignedOnce(document, allocationNumber ?? '');
    });

    it('later', async () => {
      sandbox('later');
      const document = await issue();
      await ask();
      await expectUnchanged(document);
      clock.advance(5_001);
      await ask();
      const { allocationNumber } = await found(document);
      expect(allocationNumber).toMatch(/^\d{9}$/);
      await expectAssignedOnce(document, allocationNumber ?? '');
    });

    it.each(['never', 'error'] as const)('%s: it stays pending, and no event is sent', async (mode) => {
      sandbox(mode);
      const document = await issue();
      for (let attempt = 1; attempt <= 3; attempt++) {
        await ask();
        clock.advance(HOUR_MS);
      }
      expect(authority.asked.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
      await expectUnchanged(document);
      expect(await eventsOf(document)).toEqual([]);
      expect(await due()).toEqual([document.id]);
    });
  });

  describe('is recorded', () => {
    it('although the database fails temporarily, without a second request', async () => {
      await context.database.query(`
        create sequence hiccups;
        create function hiccup() returns trigger language plpgsql as $$
          begin if nextval('hiccups') <= 2 then raise 'hiccup'; end if; return new; end $$;
        create trigger hiccup before update on documents
          for each row when (new.notes = 'hiccup') execute function hiccup()`);
      const document = await issue(large({ notes: 'hiccup' }));
      await ask();
      expect(authority.asked).toHaveLength(1);
      await expectAssignedOnce(document);
    });

    it('once if it arrives late, and another worker has got the same number', async () => {
      const document = await issue();
      const { answer: late, asking: first } = await askSlowly();
      await ageLeases(LEASE_MS + 1);
      authority.answer = () => assigned(NUMBER);
      await ask();
      const after = await expectAssignedOnce(document);
      late(assigned(NUMBER));
      await first;
      await expectUnchanged(after);
      expect(await eventsOf(document)).toHaveLength(1);
    });

    it('if it arrives late and no other worker has requested it', async () => {
      const document = await issue();
      const { answer: late, asking: first } = await askSlowly();
      await ageLeases(LEASE_MS + 1);
      authority.answer = () => LATER;
      await ask();
      late(assigned(NUMBER));
      await first;
      await expectAssignedOnce(document);
    });
  });

  describe('is refused', () => {
    it('without an event, but visible in the feed; it is not requested again', async () => {
      const document = await issue();
      authority.answer = () => REFUSED;
      await ask();
      const after = await found(document);
      expect(after).toMatchObject({ allocationNumberStatus: 'REFUSED', allocationNumber: null });
      expect(after.changeNumber).toBeGreaterThan(document.changeNumber);
      expect(await eventsOf(document)).toEqual([]);
      clock.advance(HOUR_MS);
      expect(await due()).toEqual([]);
    });

    it('and can be entered by hand afterwards', async () => {
      const document = await issue();
      authority.answer = () => REFUSED;
      await ask();
      await byHand(document);
      await expectAssignedOnce(document);
    });

    it('only by the worker that has the claim', async () => {
      const document = await issue();
      const { answer: late, asking: first } = await askSlowly();
      await ageLeases(LEASE_MS + 1);
      authority.answer = () => LATER;
      await ask();
      late(REFUSED);
      await first;
      await expectUnchanged(document);
      clock.advance(HOUR_MS);
      expect(await due()).toEqual([document.id]);
    });
  });

  describe('entered by hand', () => {
    it('ends the requests; the same number again changes nothing', async () => {
      const document = await issue();
      expect(await byHand(document)).toMatchObject({ allocationNumber: NUMBER });
      const after = await expectAssignedOnce(document);
      expect(stateOf(await byHand(document))).toEqual(stateOf(after));
      await expectUnchanged(after);
      expect(await eventsOf(document)).toHaveLength(1);
      await ask();
      expect(authority.asked).toEqual([]);
    });

    it('is accepted for a small invoice too', async () => {
      const document = await issue(large(over(100)));
      await byHand(document);
      await expectAssignedOnce(document);
    });

    it('is refused for another type, another number, and documents of other companies', async () => {
      const quote = await issue(large({ type: 'QUOTE' }));
      await expect(byHand(quote)).rejects.toMatchObject({ code: 'INVALID_STATE' });
      const document = await issue();
      await byHand(document);
      await expect(byHand(document, '111111111')).rejects.toMatchObject({ code: 'INVALID_STATE' });
      await expectAssignedOnce(document);
      const other = await givenCompany(context, 'Other');
      await expect(byHand(document, NUMBER, other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    it.each([
      ['the same number', assigned(NUMBER)],
      ['another number', assigned('111111111')],
      ['a refusal', REFUSED],
      ['later', LATER],
    ])('is kept, although the authority answers later: %s', async (_, answer) => {
      const document = await issue();
      const { answer: give, asking } = await askSlowly();
      await byHand(document);
      const after = await found(document);
      give(answer);
      await asking;
      await expectUnchanged(after);
      await expectAssignedOnce(document);
    });

    it('concurrently is recorded once', async () => {
      const document = await issue();
      const numbers = [NUMBER, '111111111', NUMBER, '222222222', NUMBER];
      const outcomes = await Promise.allSettled([
        ...numbers.map((number) => byHand(document, number)),
        ask(),
      ]);
      const { allocationNumber } = await found(document);
      const kept = numbers.filter((number) => number === allocationNumber).length;
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(kept + 1);
      await expectAssignedOnce(document, allocationNumber ?? '');
    });
  });
});
