import { AppError } from '@counterfoil/kernel';
import type { JobQueue } from '@counterfoil/queue';
import { FetchTemporaryFile } from './fetch-temporary-file';
import { GetStatementFile } from './get-statement-file';
import type { TemporaryFiles } from './ports/temporary-files';
import type { ReadStatementContent, StatementFileChoice } from './read-statement-content';

const CHOICE: StatementFileChoice = {
  ...{ entityId: 1, currency: 'ILS', from: '2026-01-01', to: '2026-01-31', language: null },
};

it('reads only as many accounts of a company at a time as it may wait for files', async () => {
  const asked: (() => void)[] = [];
  const reader = {
    execute: () =>
      new Promise((_, reject) => asked.push(() => reject(new AppError('NOT_FOUND', 'no such client')))),
  } as unknown as ReadStatementContent;
  const getFile = new GetStatementFile(reader, new FetchTemporaryFile({} as TemporaryFiles, {} as JobQueue));
  const first = Array.from({ length: 8 }, () => getFile.execute(1, CHOICE));
  await expect(getFile.execute(1, CHOICE)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  const other = getFile.execute(2, CHOICE);
  expect(asked).toHaveLength(9);
  for (const answer of asked) answer();
  const ended = await Promise.allSettled([...first, other]);
  expect(ended.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 'rejected'));
  await expect(Promise.race([getFile.execute(1, CHOICE), Promise.resolve('reading')])).resolves.toBe(
    'reading',
  );
});
