import { IdentityModule } from '@counterfoil/identity';
import { type Caller, type Transaction, Transactions } from '@counterfoil/kernel';
import { startTestContext, type TestContext, until } from '@counterfoil/test-harness';
import { FilesModule } from '../files.module';
import { contentOf, everything, givenCaller, sendFile } from '../testing/given-uploads';
import { DeleteFile } from './delete-file';
import { FileDirectory } from './ports/file-directory';
import { FileReader } from './ports/file.reader';
import { FileRepository } from './ports/file.repository';
import { FileStore } from './ports/file-store';
import { ReadFile } from './read-file';
import { RemoveAbandonedUploads } from './remove-abandoned-uploads';

const notFound = { code: 'NOT_FOUND' };

let context: TestContext;
let caller: Caller;

beforeAll(async () => {
  context = await startTestContext([FilesModule, IdentityModule]);
  caller = await givenCaller(context);
});
afterAll(() => context.close());

const upload = async (by: Caller = caller): Promise<number> =>
  (await sendFile(context, by, { fileName: 'a', content: contentOf('receipt') })).id;
const remove = (id: number, by: Caller = caller) => context.get(DeleteFile).execute(by, id);
const isThere = async (id: number) => (await context.get(FileReader).find(caller.companyId, id)) !== null;

/** A vendor with these files. */
async function givenVendor(name: string, columns: Readonly<Record<string, number>>): Promise<number> {
  const names = Object.keys(columns);
  const [row] = await context.database.query<{ id: number }>(
    `insert into entities (visible_id, company_id, is_vendor, name, tax_id, type, created_at, updated_at
                           ${names.map((column) => `, ${column}`).join('')})
     values (gen_random_uuid(), $1, true, $2, md5(random()::text), 'COMPANY', now(), now()
             ${names.map((_, at) => `, $${at + 3}`).join('')})
     returning id`,
    [caller.companyId, name, ...Object.values(columns)],
  );
  return row!.id;
}

const givenExpense = (entityId: number, fileId: number) =>
  context.database.query<{ id: number }>(
    `insert into expenses (company_id, user_id, entity_id, file_id, title, date, document_number, currency, total, tax,
                           deductable_tax, is_equipment, created_at, updated_at)
     values ($1, $2, $3, $4, 'Paper', '2026-11-20', '7', 'ILS', 118, 18, 18, false, now(), now()) returning id`,
    [caller.companyId, caller.userId, entityId, fileId],
  );

const givenReading = (fileId: number, outcome: string | null) =>
  context.database.query(
    `insert into reading_requests (company_id, source, file_id, said_as, asked_at, outcome, finished_at)
     values ($1, 'file:' || $2::text, $2::bigint, '', now(), $3::json, case when $3::json is null then null else now() end)`,
    [caller.companyId, fileId, outcome],
  );

describe('a file that nothing refers to', () => {
  it('disappears at once for keys, links and lists, and its bytes for everyone but current readers', async () => {
    const [id, other] = [await upload(), await upload()];
    const { storageKey } = (await context.get(FileReader).find(caller.companyId, id))!;
    const open = await (await context.get(ReadFile).ofCompany(caller.companyId, id)).open();
    await remove(id);
    const read = context.get(ReadFile);
    await expect(read.ofCompany(caller.companyId, id)).rejects.toMatchObject(notFound);
    await expect(read.linked({ id, isOf: () => true })).rejects.toMatchObject(notFound);
    await expect(remove(id)).rejects.toMatchObject(notFound);
    expect(Buffer.concat(await open.toArray()).toString()).toBe('receipt');

    expect((await everything(context))['stored']).not.toContain(storageKey);
    const left = await everything(context);
    expect(left).toMatchObject({ uploads: [], stored: left['files'] });
    expect(await isThere(other)).toBe(true);
  });

  it('leaves its bytes to the sweep if the store is unavailable', async () => {
    const id = await upload();
    const { storageKey } = (await context.get(FileReader).find(caller.companyId, id))!;
    const away = jest.spyOn(context.get(FileStore), 'remove').mockRejectedValue(new Error('away'));
    await remove(id);
    away.mockRestore();
    expect(await isThere(id)).toBe(false);
    expect((await everything(context))['uploads']).toEqual([storageKey]);
    await context.database.query(`update file_uploads set started_at = started_at - interval '61 minutes'`);
    expect(await context.get(RemoveAbandonedUploads).execute()).toBe(1);
    expect(await everything(context)).toMatchObject({ uploads: [] });
  });

  it('has its bytes removed although those of others cannot be, which are tried again', async () => {
    const ids = [await upload(), await upload(), await upload()];
    const keys = await Promise.all(
      ids.map(async (id) => (await context.get(FileReader).find(caller.companyId, id))!.storageKey),
    );
    const store = context.get(FileStore);
    const removeOf = store.remove.bind(store);
    const locked = jest.spyOn(store, 'remove').mockRejectedValue(new Error('away'));
    for (const id of ids) await remove(id);
    locked.mockImplementation((key) =>
      key === keys[0] ? Promise.reject(new Error('locked')) : removeOf(key),
    );
    const sweep = () => context.get(RemoveAbandonedUploads).execute(undefined, -1_000);
    await expect(sweep()).rejects.toThrow('locked');
    expect((await everything(context))['uploads']).toEqual([keys[0]]);
    locked.mockRestore();
    expect(await sweep()).toBe(1);
  });

  it('of one company has its bytes removed although those of another cannot be', async () => {
    const other = await givenCaller(context, 'Stuck');
    const store = context.get(FileStore);
    const removeOf = store.remove.bind(store);
    const away = jest.spyOn(store, 'remove').mockRejectedValue(new Error('away'));
    const keyOf = async (by: Caller) => {
      const id = await upload(by);
      const { storageKey } = (await context.get(FileReader).find(by.companyId, id))!;
      await remove(id, by);
      return storageKey;
    };
    const [own, stuck, unknown] = [await keyOf(caller), await keyOf(other), await keyOf(other)];
    const stuckKeys = [stuck];
    away.mockImplementation((key) =>
      stuckKeys.includes(key) ? Promise.reject(new Error('stuck')) : removeOf(key),
    );
    const ofCompany = () => context.get(RemoveAbandonedUploads).ofCompany(caller.companyId);
    expect(await ofCompany()).toBe(1);
    expect((await everything(context))['stored']).not.toContain(own);
    expect((await everything(context))['uploads']).toEqual([stuck, unknown].sort());

    // Deleted by a release that did not record the company, so it may be this one.
    await context.database.query(
      `update file_uploads set company_id = null, started_at = started_at - interval '61 minutes'
        where storage_key = $1`,
      [unknown],
    );
    stuckKeys.push(unknown);
    await expect(ofCompany()).rejects.toThrow('stuck');
    away.mockRestore();
    expect(await ofCompany()).toBe(1);
    expect((await everything(context))['uploads']).toEqual([stuck]);
    expect(await context.get(RemoveAbandonedUploads).ofCompany(other.companyId)).toBe(1);
  });

  it('is not found by a reader during the deletion', async () => {
    const id = await upload();
    const found = await context.get(ReadFile).ofCompany(caller.companyId, id);
    await remove(id);
    await expect(found.open()).rejects.toMatchObject(notFound);
  });

  it('of another company is not found, like an unknown one', async () => {
    const id = await upload(await givenCaller(context, 'Other'));
    await expect(remove(id)).rejects.toMatchObject(notFound);
    await expect(remove(999_999_999)).rejects.toMatchObject(notFound);
  });

  it('is deleted once by concurrent calls', async () => {
    const id = await upload();
    const done = await Promise.allSettled(Array.from({ length: 12 }, () => remove(id)));
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of done) if (one.status === 'rejected') expect(one.reason).toMatchObject(notFound);
  });
});

describe('a file in use', () => {
  const refusal = (message: string) => ({ code: 'INVALID_STATE', message });

  it('is kept, and the error names its uses', async () => {
    const file = await upload();
    const acme = await givenVendor('Acme', { logo_file_id: file, withholding_file_id: file });
    const [expense] = await givenExpense(acme, file);
    await expect(remove(file)).rejects.toMatchObject(
      refusal(
        `the file is in use: it is the receipt of expense ${expense!.id}, the logo of Acme, ` +
          'the withholding certificate of Acme; delete what uses it or give that another file first',
      ),
    );
    await context.database.query('delete from expenses');
    await context.database.query('update entities set logo_file_id = null, withholding_file_id = null');
    await remove(file);
  });

  it('has an error that names a few of very many uses', async () => {
    const file = await upload();
    const acme = await givenVendor('Acme', {});
    for (let turn = 0; turn < 5; turn++) await givenExpense(acme, file);
    const message = expect.stringMatching(/^(?!.*(expense.*){4})the file is in use: it is the receipt of/);
    await expect(remove(file)).rejects.toMatchObject({ code: 'INVALID_STATE', message });
  });

  it('by a reading is kept until the reading has an outcome, which stays', async () => {
    const [unread, read] = [await upload(), await upload()];
    await givenReading(unread, null);
    await givenReading(read, '{}');
    await expect(remove(unread)).rejects.toMatchObject(
      refusal(
        'the file is in use: it is being read for an extraction; delete what uses it or give that another file first',
      ),
    );
    await remove(read);
    const outcomes = await context.database.query(
      `select file_id from reading_requests where outcome is not null`,
    );
    expect(outcomes).toEqual([{ file_id: null }]);
  });

  it('is detected by every foreign key to files', async () => {
    const found = await context.database.query<{ column: string }>(
      `select conrelid::regclass || '.' || attname as column
         from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any (conkey)
        where contype = 'f' and confrelid = 'files'::regclass order by 1`,
    );
    // A new foreign key needs a use in file.sql.ts, and an index that finds its rows by the file.
    expect(found.map(({ column }) => column)).toEqual([
      'company_logos.file_id',
      'document_parties.logo_file_id',
      'entities.logo_file_id',
      'entities.withholding_file_id',
      'expenses.file_id',
      'reading_requests.file_id',
    ]);
  });
});

describe('a file that gets a reference', () => {
  /** A transaction that has done its work and waits for the test to end it. */
  function held(work: (tx: Transaction) => Promise<unknown>) {
    let end!: () => void;
    const gate = new Promise<void>((resolve) => (end = resolve));
    let worked!: () => void;
    const ready = new Promise<void>((resolve) => (worked = resolve));
    const ended = context.get(Transactions).run(async (tx) => {
      const result = await work(tx);
      worked();
      await gate;
      return result;
    });
    return { ready, end: () => (end(), ended) };
  }
  const waiting = () =>
    until('the lock to be waited for', async () => {
      const locks = await context.database.query('select 1 from pg_locks where not granted');
      return locks.length > 0;
    });

  it('is not deleted before the transaction that refers to it has ended', async () => {
    const id = await upload();
    const holding = held((tx) => context.get(FileDirectory).hold(tx, caller.companyId, id));
    await holding.ready;
    const removing = remove(id);
    await waiting();
    expect(await isThere(id)).toBe(true);
    expect(await holding.end()).toBe(true);
    await removing;
    expect(await isThere(id)).toBe(false);
  });

  it('cannot be held once it is being deleted', async () => {
    const id = await upload();
    const files = context.get(FileRepository);
    const deleting = held(async (tx) => {
      const storageKey = (await files.lock(tx, caller.companyId, id))!;
      await files.remove(tx, { companyId: caller.companyId, id, storageKey }, new Date());
    });
    await deleting.ready;
    const holding = context
      .get(Transactions)
      .run((tx) => context.get(FileDirectory).hold(tx, caller.companyId, id));
    await waiting();
    await deleting.end();
    expect(await holding).toBe(false);
  });
});
