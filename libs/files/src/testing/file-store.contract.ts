import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FileStore } from '../application/ports/file-store';

/** The company of the tests' files. */
export const COMPANY = 1;
const MIB = 1024 * 1024;

/** A store under test, and access to its contents. */
export interface HeldStore {
  readonly store: FileStore;
  /** The names of all stored objects, incomplete ones included. */
  everything(): Promise<readonly string[]>;
  /** The same store with a short timeout for a silent store. */
  readonly impatient: { readonly store: FileStore; readonly silenceMaxMs: number };
}

const newKey = (): string => randomBytes(16).toString('hex');

export async function* pieces(...all: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* all;
}

/** Tests the contract in the doc comment of `FileStore`. Call this inside a `describe`. */
export function holdToFileStoreContract(held: () => HeldStore): void {
  keeps(() => held().store);
  waitsForReaders(held);
  keepsNothingOfFailures(held);
}

async function readFrom(store: FileStore, key: string): Promise<Buffer | null> {
  const object = await store.open(key);
  if (!object) return null;
  const read: Buffer[] = [];
  for await (const piece of object.content) read.push(piece as Buffer);
  expect(Buffer.concat(read)).toHaveLength(object.size);
  return Buffer.concat(read);
}

function keeps(store: () => FileStore): void {
  const read = (key: string): Promise<Buffer | null> => readFrom(store(), key);

  it.each([
    ['one byte', [Buffer.of(7)]],
    ['several pieces', [Buffer.from('Re'), Buffer.from('ceip'), Buffer.from('t')]],
    ['an empty piece', [Buffer.from('a'), Buffer.alloc(0), Buffer.from('b')]],
    ['25 MiB', Array.from({ length: 25 }, () => randomBytes(MIB))],
  ])('returns the stored bytes: %s', async (_, sent) => {
    const key = newKey();
    await store().put(COMPANY, key, pieces(...sent));
    expect((await read(key))?.equals(Buffer.concat(sent))).toBe(true);
  });

  it('finds nothing under an unknown key', async () => {
    expect(await store().open(newKey())).toBeNull();
  });

  it('finds nothing under a key until all bytes are stored', async () => {
    const key = newKey();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let reached = (): void => undefined;
    const halfWay = new Promise<void>((resolve) => (reached = resolve));
    async function* slow(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(MIB, 'a');
      reached();
      await released;
      yield Buffer.alloc(MIB, 'b');
    }
    const stored = store().put(COMPANY, key, slow());
    await halfWay;
    expect(await store().open(key)).toBeNull();
    release();
    await stored;
    expect(await read(key)).toHaveLength(2 * MIB);
  });

  it('returns objects while others are stored and removed', async () => {
    const contents = Array.from({ length: 40 }, () => randomBytes(50_000));
    const keys = contents.map(newKey);
    await Promise.all(keys.map((key, at) => store().put(COMPANY, key, pieces(contents[at]!))));
    await Promise.all(keys.filter((_, at) => at % 2 === 1).map((key) => store().remove(key)));
    const found = await Promise.all(keys.map(read));
    for (const [at, bytes] of found.entries()) {
      if (at % 2 === 1) expect(bytes).toBeNull();
      else expect(bytes?.equals(contents[at]!)).toBe(true);
    }
  });

  it('survives readers that open an object and do not read it', async () => {
    const key = newKey();
    await store().put(COMPANY, key, pieces(Buffer.alloc(3 * MIB)));
    for (let time = 0; time < 100; time++) {
      const object = await store().open(key);
      object?.content.on('error', () => undefined);
      object?.content.destroy();
    }
    expect(await read(key)).toHaveLength(3 * MIB);
  });
}

function waitsForReaders(held: () => HeldStore): void {
  it('waits for a reader that pauses for longer than the timeout of the store', async () => {
    const { store, silenceMaxMs } = held().impatient;
    const key = newKey();
    const sent = randomBytes(25 * MIB);
    await store.put(COMPANY, key, pieces(sent));
    const read: Buffer[] = [];
    const { content } = (await store.open(key))!;
    for await (const piece of content) {
      // Pauses at the start, and again before half of the object is read.
      if (read.length === 0 || read.length === 100) await sleep(silenceMaxMs * 3);
      read.push(piece as Buffer);
    }
    expect(Buffer.concat(read).equals(sent)).toBe(true);
  });
}

function keepsNothingOfFailures(held: () => HeldStore): void {
  const store = (): FileStore => held().store;

  it('throws the error of the content, and stores nothing', async () => {
    const before = await held().everything();
    const fault = new Error('cut off');
    async function* broken(): AsyncGenerator<Buffer> {
      yield randomBytes(MIB);
      throw fault;
    }
    const key = newKey();
    await expect(store().put(COMPANY, key, broken())).rejects.toBe(fault);
    expect(await store().open(key)).toBeNull();
    expect(await held().everything()).toEqual(before);
  });

  it('reads no faster than it can write', async () => {
    let asked = 0;
    async function* long(): AsyncGenerator<Buffer> {
      for (let at = 0; at < 100; at++) {
        asked += 1;
        yield Buffer.alloc(64 * 1024, at);
        if (at === 50) throw new Error('enough');
      }
    }
    await expect(store().put(COMPANY, newKey(), long())).rejects.toThrow('enough');
    expect(asked).toBe(51);
  });

  it('removes an object, and ignores a missing one', async () => {
    const before = await held().everything();
    const key = newKey();
    await store().put(COMPANY, key, pieces(Buffer.from('a')));
    expect((await held().everything()).length).toBe(before.length + 1);
    await store().remove(key);
    await store().remove(key);
    await store().remove(newKey());
    expect(await store().open(key)).toBeNull();
    expect(await held().everything()).toEqual(before);
  });
}
