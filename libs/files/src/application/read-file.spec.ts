import type { Readable } from 'node:stream';
import { currentRequest, inRequestScope, type Share } from '@counterfoil/kernel';
import { FileReader, type KeptFile } from './ports/file.reader';
import { FileStore } from './ports/file-store';
import { ReadFile } from './read-file';

const COMPANY = 7;
const FILE = { id: 1, companyId: COMPANY, size: 1, storageKey: 'a' } as KeptFile;

it('reads what a link opens in the share of its company, once the look-up has told it', async () => {
  const shares: Record<string, Share | undefined> = {};
  const note = <T>(step: string, found: T): Promise<T> => {
    shares[step] = currentRequest()?.share;
    return Promise.resolve(found);
  };
  const files = Object.assign(Object.create(FileReader.prototype) as FileReader, {
    findLinked: () => note('look-up', FILE),
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
