import { setImmediate } from 'node:timers/promises';
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

it('makes a long statement once for all who ask for it, with room for others beside it', async () => {
  const reader = {
    execute: (_: number, { entityId }: StatementFileChoice) =>
      Promise.resolve({ entityId, statement: { lines: Array.from({ length: entityId }) } }),
  } as unknown as ReadStatementContent;
  let made: { sha256: string; size: number } | null = null;
  const files = { find: () => Promise.resolve(made) } as unknown as TemporaryFiles;
  const signals: string[] = [];
  const queue = { signal: (name: string) => Promise.resolve(signals.push(name)) } as unknown as JobQueue;
  const getFile = new GetStatementFile(reader, new FetchTemporaryFile(files, queue));
  const ask = (lines: number) => getFile.execute(1, { ...CHOICE, entityId: lines });
  // Of the company's 8 slots the first takes 4, and each of the others who wait for the same file 1.
  const long = [ask(2_000), ask(2_000), ask(2_000)];
  await setImmediate();
  const short = [ask(10), ask(20)];
  await setImmediate();
  await expect(ask(1_000)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
  expect(signals).toHaveLength(3);
  made = { sha256: 'x', size: 1 };
  expect(await Promise.all([...long, ...short])).toMatchObject(Array.from({ length: 5 }, () => made));
  expect(await ask(1_000)).toMatchObject(made);
});
