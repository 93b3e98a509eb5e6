import { BoundedCache } from './bounded-cache';

const bytes = (size: number) => Buffer.alloc(size);

describe('a bounded cache', () => {
  const cacheOf = (weightMax: number, readMaxMs = 1_000) =>
    new BoundedCache<Buffer>({ weightMax, weightOf: (_, value) => value.length, readMaxMs });

  it('reads a value once for all concurrent and later calls', async () => {
    const cache = cacheOf(100);
    const read = jest.fn(() => Promise.resolve(bytes(10)));
    await Promise.all([cache.get('a', read), cache.get('a', read)]);
    await cache.get('a', read);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('evicts the least recently used values when all together are too heavy', async () => {
    const cache = cacheOf(100);
    const read = jest.fn((size: number) => Promise.resolve(bytes(size)));
    await cache.get('a', () => read(40));
    await cache.get('b', () => read(40));
    await cache.get('a', () => read(40));
    await cache.get('c', () => read(40));
    await cache.get('a', () => read(40));
    expect(read).toHaveBeenCalledTimes(3);
    await cache.get('b', () => read(40));
    expect(read).toHaveBeenCalledTimes(4);
  });

  it('does not keep a value that is too heavy by itself', async () => {
    const cache = cacheOf(100);
    const read = jest.fn(() => Promise.resolve(bytes(101)));
    expect(await cache.get('a', read)).toHaveLength(101);
    await cache.get('a', read);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('does not keep a failure', async () => {
    const cache = cacheOf(100);
    await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await cache.get('a', () => Promise.resolve(bytes(1)))).toHaveLength(1);
  });

  it('waits no longer for a read that hangs', async () => {
    const cache = cacheOf(100, -1);
    void cache.get('a', () => new Promise<Buffer>(() => undefined));
    expect(await cache.get('a', () => Promise.resolve(bytes(1)))).toHaveLength(1);
  });
});
