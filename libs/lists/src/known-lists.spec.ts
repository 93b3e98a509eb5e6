import { KnownLists } from './known-lists';

interface KnownList {
  readonly version: string;
  readonly ids: readonly number[];
}

const known = (change: number, count = 1): KnownList => ({
  version: `${change}`,
  ids: Array.from({ length: count }, (_, id) => id),
});

/** Looks that are counted, and answer with the change they are given. */
function looking(list: KnownList) {
  const look = jest.fn(() => Promise.resolve(list));
  return look;
}

describe('known lists', () => {
  it('are looked at once, however many ask meanwhile and afterwards', async () => {
    const lists = new KnownLists<KnownList>();
    const look = looking(known(1));
    const asked = await Promise.all([lists.of('a', look), lists.of('a', look), lists.of('a', look)]);
    expect(asked).toEqual([known(1), known(1), known(1)]);
    await lists.of('a', look);
    expect(look).toHaveBeenCalledTimes(1);
  });

  it('are told apart by their names', async () => {
    const lists = new KnownLists<KnownList>();
    await lists.of('a', looking(known(1)));
    expect(await lists.of('b', looking(known(2)))).toEqual(known(2));
  });

  it('are as they were learnt last', async () => {
    const lists = new KnownLists<KnownList>();
    await lists.of('a', looking(known(1)));
    await lists.learn('a', Promise.resolve(known(2)));
    expect(await lists.of('a', looking(known(3)))).toEqual(known(2));
  });

  it('that could not be looked at are looked at again, and who waited is told', async () => {
    const lists = new KnownLists<KnownList>();
    const failing = () => Promise.reject(new Error('no database'));
    const asked = [lists.of('a', failing), lists.of('a', failing)];
    for (const one of asked) await expect(one).rejects.toThrow('no database');
    expect(await lists.of('a', looking(known(4)))).toEqual(known(4));
  });

  it('that failed late do not take away what was learnt meanwhile', async () => {
    const lists = new KnownLists<KnownList>();
    let fail: (error: Error) => void = () => undefined;
    const late = new Promise<KnownList>((_, reject) => (fail = reject));
    const first = lists.of('a', () => late);
    await lists.learn('a', Promise.resolve(known(5)));
    fail(new Error('late'));
    await expect(first).rejects.toThrow('late');
    expect(await lists.of('a', looking(known(6)))).toEqual(known(5));
  });

  it('are looked at again when a look says nothing for longer than any statement takes', async () => {
    const lists = new KnownLists<KnownList>();
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    try {
      void lists.of('a', () => new Promise(() => undefined));
      now.mockReturnValue(42_000);
      expect(await lists.of('a', looking(known(7)))).toEqual(known(7));
    } finally {
      now.mockRestore();
    }
  });

  it('are forgotten when they hold too much together, the one asked for longest ago first', async () => {
    const lists = new KnownLists<KnownList>();
    const look = looking(known(2));
    for (const name of ['a', 'b']) await lists.of(name, looking(known(1, 750_000)));
    expect(await lists.of('a', look)).toMatchObject({ version: '1' });
    await lists.of('c', looking(known(1, 750_000)));
    expect(await lists.of('a', look)).toMatchObject({ version: '1' });
    expect(await lists.of('c', look)).toMatchObject({ version: '1' });
    expect(await lists.of('b', look)).toMatchObject({ version: '2' });
  });
});
