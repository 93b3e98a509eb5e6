import { Readable } from 'node:stream';
import { currentRequest, inRequestScope, type Share } from '@counterfoil/kernel';
import { FileReader, type KeptFile } from './ports/file.reader';
import { FileStore } from './ports/file-store';
import { BytesMissingError, ReadFile } from './read-file';

const COMPANY = 7;
const FILE = { id: 1, companyId: COMPANY, size: 1, storageKey: 'a' } as KeptFile;

it('reads a linked file in the share of its company, which the lookup finds', async () => {
  const shares: Record<string, Share | undefined> = {};
  const note = <T>(step: string, found: T): Promise<T> => {
    shares[step] = currentRequest()?.share;
    return Promise.resolve(found);
  };
  const files = Object.assign(Object.create(FileReader.prototype) as FileReader, {
    findLinked: async (ids: readonly number[]) => {
      await note('look-up', FILE);
      return ids.map(() => FILE);
    },
    find: () => note('look-up of what is gone', null),
  });
  const store = Object.assign(Object.create(FileStore.prototype) as FileStore, {
    open: () => note('bytes', null as { content: Readable; size: number } | null),
  });
  const read = inRequestScope({ share: 'links', isAbandoned: () => false }, async () =>
    (await new ReadFile(files, store).linked({ id: FILE.id, isOf: () => true })).open(),
  );
  await expect(read).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(shares).toEqual({ 'look-up': 'links', bytes: COMPANY, 'look-up of what is gone': COMPANY });
});

it.each([
  ['none of the bytes', null, BytesMissingError],
  ['only a part of them', { content: Readable.from(['']), size: 0 }, BytesMissingError],
  ['them, but refuses to open them', new Error('EACCES'), Error],
])('tells whether the store has %s', async (_, found, type) => {
  const files = Object.assign(Object.create(FileReader.prototype) as FileReader, {
    find: () => Promise.resolve(FILE),
  });
  const store = Object.assign(Object.create(FileStore.prototype) as FileStore, {
    open: () => (found instanceof Error ? Promise.reject(found) : Promise.resolve(found)),
  });
  const file = await new ReadFile(files, store).ofCompany(COMPANY, FILE.id);
  const fault: unknown = await file.open().catch((error: unknown) => error);
  expect((fault as object).constructor).toBe(type);
});

it('looks up the files of concurrent links together, and each gets its own file', async () => {
  let lookUps = 0;
  const files = Object.assign(Object.create(FileReader.prototype) as FileReader, {
    findLinked: async (ids: readonly number[]) => {
      lookUps += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
      return ids.map((id) => (id < 1_000 ? { ...FILE, id } : null));
    },
  });
  const reader = new ReadFile(files, Object.create(FileStore.prototype) as FileStore);
  const linked = (id: number) => reader.linked({ id, isOf: () => true });
  const found = await Promise.all(Array.from({ length: 500 }, (_, id) => linked(id)));
  expect(found.map(({ id }) => id)).toEqual(found.map((_, id) => id));
  expect(lookUps).toBeLessThanOrEqual(2);
  await expect(linked(1_000)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('opens links while the lookup of others hangs', async () => {
  jest.useFakeTimers();
  try {
    const files = Object.assign(Object.create(FileReader.prototype) as FileReader, {
      findLinked: (ids: readonly number[]) =>
        ids.includes(1) ? new Promise(() => undefined) : Promise.resolve(ids.map((id) => ({ ...FILE, id }))),
    });
    const reader = new ReadFile(files, Object.create(FileStore.prototype) as FileStore);
    const linked = (id: number) => reader.linked({ id, isOf: () => true });
    void linked(1);
    const other = linked(2);
    await jest.advanceTimersByTimeAsync(1_000);
    await expect(other).resolves.toMatchObject({ id: 2 });
  } finally {
    jest.useRealTimers();
  }
});

it('completes a shared lookup even if its first caller hangs up', async () => {
  let isAbandoned: boolean | undefined;
  const files = Object.assign(Object.create(FileReader.prototype) as FileReader, {
    findLinked: (ids: readonly number[]) => {
      isAbandoned = currentRequest()?.isAbandoned();
      return Promise.resolve(ids.map(() => FILE));
    },
  });
  const reader = new ReadFile(files, Object.create(FileStore.prototype) as FileStore);
  await inRequestScope({ share: 'links', isAbandoned: () => true }, () =>
    reader.linked({ id: FILE.id, isOf: () => true }),
  );
  expect(isAbandoned).toBe(false);
});
