import { reencrypt, type ReencryptionProgress } from './reencrypt';
import { type ResealedRow, SealedRows } from './sealed-rows';
import { SecretBox } from './secret-box';

const FORMER = { id: '2026', key: 'k'.repeat(32) };
const NEXT = { id: '2027', key: 'n'.repeat(32) };
const former = new SecretBox([FORMER], 'test');
const both = new SecretBox([NEXT, FORMER], 'test');

interface Row {
  readonly id: number;
  readonly sealed: string;
}

/** A table in memory. `beforeReplace` plays the processes that write beside the rotation. */
class Rows extends SealedRows<Row> {
  override readonly name = 'rows';
  readonly table = new Map<number, string>();
  batches = 0;
  beforeReplace: (rows: Rows) => void = () => undefined;

  override after(last: Row | null, limit: number): Promise<Row[]> {
    this.batches += 1;
    const later = [...this.table].filter(([id]) => id > (last?.id ?? 0)).sort(([a], [b]) => a - b);
    return Promise.resolve(later.slice(0, limit).map(([id, sealed]) => ({ id, sealed })));
  }

  override reseal({ id, sealed }: Row): Row | null {
    const resealed = both.reseal(sealed);
    return resealed === null ? null : { id, sealed: resealed };
  }

  override replace(changes: readonly ResealedRow<Row>[]): Promise<number> {
    this.beforeReplace(this);
    const held = changes.filter(({ before }) => this.table.get(before.id) === before.sealed);
    for (const { after } of held) this.table.set(after.id, after.sealed);
    return Promise.resolve(held.length);
  }

  override describe({ id }: Row): string {
    return `row ${id}`;
  }
}

function given(count: number): Rows {
  const rows = new Rows();
  for (let id = 1; id <= count; id += 1) rows.table.set(id, former.seal(`secret ${id}`));
  return rows;
}

const ignored = () => undefined;
const secretsOf = ({ table }: Rows, box: SecretBox) => [...table.values()].map((sealed) => box.open(sealed));

describe('the re-encryption of stored secrets', () => {
  it.each([0, 1, 199, 200, 201, 650])('seals %i rows with the first key, and none twice', async (count) => {
    const rows = given(count);
    const reports: ReencryptionProgress[] = [];
    expect(await reencrypt(rows, (state) => reports.push(state))).toEqual({
      rows: count,
      reencrypted: count,
      remaining: 0,
      unreadable: 0,
      unreadableRows: [],
    });
    expect(secretsOf(rows, new SecretBox([NEXT], 'test'))).toEqual(
      Array.from({ length: count }, (_, at) => `secret ${at + 1}`),
    );
    expect(reports.at(-1)).toMatchObject({ name: 'rows', read: count, reencrypted: count });
    expect(await reencrypt(rows, ignored)).toMatchObject({ rows: count, reencrypted: 0, remaining: 0 });
  });

  it('continues after an interruption', async () => {
    const rows = given(650);
    let batches = 0;
    rows.beforeReplace = () => {
      batches += 1;
      if (batches === 3) throw new Error('killed');
    };
    await expect(reencrypt(rows, ignored)).rejects.toThrow('killed');
    expect(await reencrypt(rows, ignored)).toMatchObject({ reencrypted: 250, remaining: 0 });
  });

  it('does not undo a change that is made meanwhile, and seals what others still seal with the former key', async () => {
    const rows = given(3);
    let writes = 0;
    rows.beforeReplace = ({ table }) => {
      writes += 1;
      if (writes === 1) table.set(2, former.seal('changed')).set(4, former.seal('added')).delete(3);
    };
    expect(await reencrypt(rows, ignored)).toMatchObject({ rows: 3, reencrypted: 3, remaining: 0 });
    expect(secretsOf(rows, new SecretBox([NEXT], 'test'))).toEqual(['secret 1', 'changed', 'added']);
  });

  it('is not done while another process seals with the former key', async () => {
    const rows = given(1);
    rows.beforeReplace = ({ table }) => table.set(table.size + 1, former.seal('late'));
    const { remaining, unreadable } = await reencrypt(rows, ignored);
    expect([remaining > 0, unreadable]).toEqual([true, 0]);
  });

  it('names rows that no key opens, and seals the others', async () => {
    const rows = given(30);
    const strange = new SecretBox([{ id: null, key: 'x'.repeat(32) }], 'test');
    for (let id = 101; id <= 130; id += 1) rows.table.set(id, strange.seal('lost'));
    const outcome = await reencrypt(rows, ignored);
    expect(outcome).toMatchObject({ rows: 60, reencrypted: 30, remaining: 30, unreadable: 30 });
    expect(outcome.unreadableRows).toEqual(Array.from({ length: 20 }, (_, at) => `row ${at + 101}`));
  });
});
