import { ListCache } from './list-cache';

interface ListContent {
  readonly version: string;
  readonly ids: readonly number[];
}

const known = (change: number, count = 1): ListContent => ({
  version: `${change}`,
  ids: Array.from({ length: count }, (_, id) => id),
});

/** A read that counts its calls and returns the given list. */
function looking(list: ListContent) {
  const look = jest.fn(() => Promise.resolve(list));
  return look;
}

describe('ListCache', () => {
  it('reads a list once for all concurrent and later calls', async () => {
    const lists = new ListCache<ListContent>();
    const look = looking(known(1));
    const results = await Promise.all([lists.get('a', look), lists.get('a', look), lists.get('a', look)]);
    expect(results).toEqual([known(1), known(1), known(1)]);
    await lists.get('a', look);
    expect(look).toHaveBeenCalledTimes(1);
  });

  it('keeps lists with different names apart', async () => {
    const lists = new ListCache<ListContent>();
    await lists.get('a', looking(known(1)));
    expect(await lists.get('b', looking(known(2)))).toEqual(known(2));
  });

  it('returns the content that was stored last', async () => {
    const lists = new ListCache<ListContent>();
    await lists.get('a', looking(known(1)));
    await lists.learn('a', Promise.resolve(known(2)));
    expect(await lists.get('a', looking(known(3)))).toEqual(known(2));
  });

  it('fails all waiting calls when a read fails, and reads again', async () => {
    const lists = new ListCache<ListContent>();
    const failing = () => Promise.reject(new Error('no database'));
    const reads = [lists.get('a', failing), lists.get('a', failing)];
    for (const one of reads) await expect(one).rejects.toThrow('no database');
    expect(await lists.get('a', looking(known(4)))).toEqual(known(4));
  });

  it('keeps newer content when an older read fails late', async () => {
    const lists = new ListCache<ListContent>();
    let fail: (error: Error) => void = () => undefined;
    const late = new Promise<ListContent>((_, reject) => (fail = reject));
    const first = lists.get('a', () => late);
    await lists.learn('a', Promise.resolve(known(5)));
    fail(new Error('late'));
    await expect(first).rejects.toThrow('late');
    expect(await lists.get('a', looking(known(6)))).toEqual(known(5));
  });

  it('reads again when a read takes longer than any statement', async () => {
    const lists = new ListCache<ListContent>();
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    try {
      void lists.get('a', () => new Promise(() => undefined));
      now.mockReturnValue(42_000);
      expect(await lists.get('a', looking(known(7)))).toEqual(known(7));
    } finally {
      now.mockRestore();
    }
  });

  it('counts the length of names', async () => {
    const lists = new ListCache<ListContent>();
    const look = looking(known(2));
    await lists.get('a', looking(known(1)));
    for (const name of ['b', 'c', 'd']) await lists.get(name.repeat(3_000_000), looking(known(1)));
    expect(await lists.get('a', look)).toMatchObject({ version: '2' });
  });

  it('counts the positions of a list with more rows than ids', async () => {
    const lists = new ListCache<ListContent & { readonly total: number }>();
    const long = { ...known(1), total: 50_000 };
    const look = jest.fn(() => Promise.resolve(long));
    for (let nth = 0; nth < 1_500; nth++) await lists.get(`${nth}`, () => Promise.resolve(long));
    await lists.get('0', look);
    expect(look).toHaveBeenCalledTimes(1);
  });

  it('evicts the least recently used list when the total is too large', async () => {
    const lists = new ListCache<ListContent>();
    const look = looking(known(2));
    for (const name of ['a', 'b']) await lists.get(name, looking(known(1, 750_000)));
    expect(await lists.get('a', look)).toMatchObject({ version: '1' });
    await lists.get('c', looking(known(1, 750_000)));
    expect(await lists.get('a', look)).toMatchObject({ version: '1' });
    expect(await lists.get('c', look)).toMatchObject({ version: '1' });
    expect(await lists.get('b', look)).toMatchObject({ version: '2' });
  });
});
