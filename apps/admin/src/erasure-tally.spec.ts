import { ErasureTally } from './erasure-tally';

describe('the tally of an erasure', () => {
  it('has the last totals of each table, and leaves out tables without', () => {
    const tally = new ErasureTally();
    tally.note({ table: 'contacts', removed: 500, changed: 0 });
    tally.note({ table: 'contacts', removed: 700, changed: 0 });
    tally.note({ table: 'entities', removed: 0, changed: 3 });
    tally.note({ table: 'files', removed: 1, changed: 2 });
    expect(tally.summary()).toEqual({
      removed: { contacts: 700, files: 1 },
      changed: { entities: 3, files: 2 },
    });
  });

  it('is empty at first', () => {
    expect(new ErasureTally().summary()).toEqual({ removed: {}, changed: {} });
  });
});
