import { IdentityModule, SetCompanyLimits } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import {
  type OpenContext,
  openTestContext,
  startTestContext,
  testConfig,
  type TestContext,
} from '@counterfoil/test-harness';
import { FilesModule } from '../files.module';
import { contentOf, everything, givenCaller, sendFile } from '../testing/given-uploads';
import { DeleteFile } from './delete-file';
import { FileReader } from './ports/file.reader';
import { StorageQuota } from './storage-quota';

const refused = { code: 'LIMIT_REACHED' };

let context: TestContext;
let caller: Caller;

beforeAll(async () => {
  context = await startTestContext([FilesModule, IdentityModule]);
});
afterAll(() => context.close());
beforeEach(async () => {
  caller = await givenCaller(context);
});

const limit = (limits: { fileBytes?: number | null | 'default'; fileCount?: number | null | 'default' }) =>
  context.get(SetCompanyLimits).execute(caller.companyId, limits);
const send = (bytes: number, at: OpenContext = context, by: Caller = caller) =>
  sendFile(at, by, { fileName: 'a', content: contentOf('x'.repeat(bytes)) });
const usage = () => context.get(FileReader).usage(caller.companyId);

describe('the storage quota', () => {
  it('is off by default, but usage is counted', async () => {
    await send(10);
    const { id } = await send(5);
    expect(await usage()).toEqual({ bytes: 15, files: 2 });
    await context.get(DeleteFile).execute(caller, id);
    expect(await usage()).toEqual({ bytes: 10, files: 1 });
  });

  it('accepts the last byte and the last file, and nothing beyond', async () => {
    await limit({ fileBytes: 10, fileCount: 2 });
    await send(6);
    await expect(send(5)).rejects.toMatchObject({
      ...refused,
      message:
        'the company may store 10 bytes, and has used 6: ' +
        'delete files that are no longer needed, or ask the operator for a higher limit',
    });
    const last = await send(4);
    await expect(context.get(StorageQuota).assertRoom(caller.companyId)).rejects.toMatchObject(refused);
    await limit({ fileBytes: 1_000 });
    await expect(send(1)).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('2 files, and has 2'),
    });
    await context.get(DeleteFile).execute(caller, last.id);
    await send(1);
  });

  it('ends an upload at the first piece that does not fit, and stores nothing', async () => {
    await limit({ fileBytes: 3 });
    const before = await everything(context);
    let pieces = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) {
        pieces += 1;
        yield Buffer.from('x');
      }
    }
    const uploading = sendFile(context, caller, { fileName: 'a', content: endless() });
    await expect(uploading).rejects.toMatchObject(refused);
    expect(pieces).toBe(4);
    expect((await everything(context))['files']).toEqual(before['files']);
  });

  it('counts the bytes that other uploads of the company have sent so far', async () => {
    await limit({ fileBytes: 10 });
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    let hasSent = (): void => undefined;
    const sent = new Promise<void>((resolve) => (hasSent = resolve));
    async function* slow(): AsyncGenerator<Buffer> {
      yield Buffer.from('x'.repeat(8));
      hasSent();
      await held;
    }
    const first = sendFile(context, caller, { fileName: 'a', content: slow() });
    await sent;
    await expect(send(3)).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('10 bytes, and has used 8'),
    });
    goOn();
    await first;
    await expect(send(3)).rejects.toMatchObject(refused);
    await send(2);
    expect(await usage()).toEqual({ bytes: 10, files: 2 });
  });

  it('applies to one company, until its limit is removed or reset', async () => {
    const stranger = await givenCaller(context, 'Other');
    await limit({ fileCount: 0 });
    await expect(send(1)).rejects.toMatchObject(refused);
    await send(1, context, stranger);
    expect(await limit({ fileCount: null })).toEqual({ fileCount: null });
    await send(1);
    expect(await limit({ fileCount: 'default' })).toEqual({});
    await send(1);
  });

  it('cannot be set for an unknown company', async () => {
    const setting = context.get(SetCompanyLimits).execute(999_999, { fileCount: 1 });
    await expect(setting).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  describe('set for the installation', () => {
    let other: OpenContext;
    beforeAll(async () => {
      const env = { FILE_QUOTA_BYTES: '1KiB', FILE_QUOTA_FILES: '7', DATA_DIR: context.config.dataDir };
      other = await openTestContext(testConfig(context.database.url, env), [FilesModule, IdentityModule]);
    });
    afterAll(() => other.close());

    it('applies to every company without limits of its own', async () => {
      await send(1_024, other);
      await expect(send(1, other)).rejects.toMatchObject(refused);
      await limit({ fileBytes: 2_048 });
      await send(1, other);
      await limit({ fileBytes: null });
      await send(4_096, other);
    });

    it('is never exceeded by concurrent uploads in several processes', async () => {
      await limit({ fileBytes: 5_000, fileCount: 6 });
      await send(4_000);
      const more = await Promise.allSettled(
        Array.from({ length: 20 }, (_, at) => send(200, at % 2 ? other : context)),
      );
      expect(more.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
      for (const one of more) if (one.status === 'rejected') expect(one.reason).toMatchObject(refused);
      expect(await usage()).toEqual({ bytes: 5_000, files: 6 });
      const [counted] = await context.database.query(
        'select count(*)::int as files, sum(size)::int as bytes from files where company_id = $1',
        [caller.companyId],
      );
      expect(counted).toEqual({ bytes: 5_000, files: 6 });
    });
  });
});

describe('the companies that store the most', () => {
  it('are listed with their bytes, most first, up to the requested number', async () => {
    const callers = [];
    for (const bytes of [50_000, 90_000, 70_000]) {
      const one = await givenCaller(context, String(bytes));
      await send(bytes, context, one);
      callers.push(one.companyId);
    }
    const [least, most, middle] = callers;
    expect(await context.get(FileReader).largestCompanies(3)).toEqual([
      { companyId: most, bytes: 90_000 },
      { companyId: middle, bytes: 70_000 },
      { companyId: least, bytes: 50_000 },
    ]);
  });
});
