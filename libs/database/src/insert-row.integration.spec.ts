import { type Transaction, Transactions } from '@counterfoil/kernel';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EntitySchema } from 'typeorm';
import { generatedId, money, wholeNumber } from './columns';
import { isUniqueViolation } from './database-errors';
import { insertRow, insertWithId } from './insert-row';
import { managerOf } from './typeorm-transactions';

interface Note {
  readonly id: number;
  readonly ownerId: number | null;
  readonly title: string;
  readonly price: number;
  readonly tags: readonly string[];
  readonly extra: unknown;
  readonly day: string | null;
  readonly at: Date;
  readonly upperTitle: string;
}

const NoteSchema = new EntitySchema<Note>({
  name: 'Note',
  tableName: 'note',
  columns: {
    id: generatedId,
    ownerId: { ...wholeNumber, name: 'owner_id', nullable: true },
    title: { type: 'text' },
    price: money,
    tags: { type: 'text', array: true },
    extra: { type: 'jsonb', nullable: true },
    day: { type: 'date', nullable: true },
    at: { type: 'timestamptz' },
    upperTitle: { type: 'text', name: 'upper_title', insert: false, update: false },
  },
});

const NOTE = {
  ...{ ownerId: 2 ** 40, title: `it's "quoted" $1 \\ שלום`, price: 12.34, tags: ['a', 'b,c', '"'] },
  ...{ extra: [{ nested: null }], day: '2026-02-28', at: new Date('2026-01-02T03:04:05.678Z') },
};

describe('inserting a row', () => {
  let context: TestContext;
  beforeAll(async () => {
    context = await startTestContext([TypeOrmModule.forFeature([NoteSchema])]);
    await context.database.query(
      `create table note (id bigint generated always as identity primary key, owner_id bigint default 7,
         title text not null unique, price numeric(14,2) not null default 5, tags text[] not null default '{}',
         extra jsonb, day date, at timestamptz not null default now(),
         upper_title text generated always as (upper(title)) stored)`,
    );
  });
  afterAll(() => context.close());

  const run = <Result>(work: (tx: Transaction) => Promise<Result>) => context.get(Transactions).run(work);

  it('writes each kind of column as it is read again', async () => {
    const id = await run((tx) => insertWithId(tx, NoteSchema, NOTE));
    const note = await run((tx) => managerOf(tx).findOneBy(NoteSchema, { id }));
    expect(note).toEqual({ ...NOTE, id, upperTitle: NOTE.title.toUpperCase() });
  });

  it('gives a missing field its default, and writes null', async () => {
    const id = await run((tx) => insertWithId(tx, NoteSchema, { title: 'b', ownerId: null }));
    const note = await run((tx) => managerOf(tx).findOneBy(NoteSchema, { id }));
    expect(note).toMatchObject({ ownerId: null, tags: [], day: null, extra: null });
  });

  it('is undone with its transaction', async () => {
    const failing = run(async (tx) => {
      await insertRow(tx, NoteSchema, { title: 'c' });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await run((tx) => managerOf(tx).findOneBy(NoteSchema, { title: 'c' }))).toBeNull();
  });

  it('reports a violated constraint', async () => {
    const again = run((tx) => insertRow(tx, NoteSchema, { title: 'b' }));
    const error: unknown = await again.catch((reason: unknown) => reason);
    expect(isUniqueViolation(error, 'note_title_key')).toBe(true);
  });
});
