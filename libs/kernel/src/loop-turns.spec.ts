import { LoopTurns } from './loop-turns';

/** Counts the iterations of the event loop. */
function countTurns(): { readonly turns: () => number; readonly stop: () => void } {
  let turns = 0;
  let watching = true;
  const watch = () => {
    turns += 1;
    if (watching) setImmediate(watch);
  };
  setImmediate(watch);
  return { turns: () => turns, stop: () => (watching = false) };
}

describe('LoopTurns', () => {
  const options = { waitMaxMs: 1_000, message: 'too much; try again' };

  it('runs at most the configured number of pieces in an iteration of the event loop', async () => {
    const work = new LoopTurns<string>({ ...options, perTurn: 2 });
    const { turns, stop } = countTurns();
    const doneIn: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        await work.take('a');
        doneIn.push(turns());
      }),
    );
    stop();
    const perTurn = new Map<number, number>();
    for (const turn of doneIn) perTurn.set(turn, (perTurn.get(turn) ?? 0) + 1);
    expect(Math.max(...perTurn.values())).toBe(2);
  });

  it('serves the keys in turn, however many pieces of one key came first', async () => {
    const work = new LoopTurns<string>({ ...options, perTurn: 1 });
    const done: string[] = [];
    const piece = async (key: string) => {
      await work.take(key);
      done.push(key);
    };
    await Promise.all([...Array.from({ length: 50 }, () => piece('a')), piece('b')]);
    expect(done.indexOf('b')).toBeLessThanOrEqual(2);
  });

  it('pauses for three times as long as a piece took', async () => {
    const work = new LoopTurns<string>({ ...options, perTurn: 1 });
    const began: number[] = [];
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        await work.take('a');
        began.push(performance.now());
        while (performance.now() < began.at(-1)! + 20);
      }),
    );
    const gaps = began.slice(1).map((at, index) => at - began[index]!);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(78);
  });

  it('does not pause for a key whose pause factor is 0', async () => {
    const work = new LoopTurns<string>({
      ...options,
      perTurn: 1,
      pauses: (key) => (key === 'alone' ? 0 : 3),
    });
    const tookMs = async (key: string): Promise<number> => {
      const started = performance.now();
      for (let piece = 0; piece < 4; piece++) {
        await work.take(key);
        const end = performance.now() + 10;
        while (performance.now() < end);
      }
      await work.take(key);
      return performance.now() - started;
    };
    expect(await tookMs('alone')).toBeLessThan(await tookMs('others'));
    expect(await tookMs('others')).toBeGreaterThan(4 * 10 * 4 - 1);
  });

  it('bases the pause on the piece alone, not on other work in the same iteration', async () => {
    const work = new LoopTurns<string>({ ...options, perTurn: 1 });
    let others = 0;
    const busy = () => {
      const until = performance.now() + 20;
      while (performance.now() < until);
      others += 1;
      if (others < 20) setImmediate(busy);
    };
    setImmediate(busy);
    for (let count = 0; count < 10; count++) await work.take('a');
    expect(others).toBeLessThan(15);
  });

  it('refuses an abandoned piece and goes on with the next', async () => {
    const work = new LoopTurns<string>({ ...options, perTurn: 1 });
    const first = work.take('a');
    const abandoned = work.take('a', () => true);
    const last = work.take('a');
    await expect(abandoned).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await Promise.all([first, last]);
  });

  it('refuses a piece when the queue of its key is full', async () => {
    const work = new LoopTurns<string>({ ...options, perTurn: 1, waitingMax: 1 });
    const taken = [work.take('a'), work.take('a')];
    await expect(work.take('a')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await Promise.all(taken);
  });
});
