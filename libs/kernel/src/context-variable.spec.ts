import { setImmediate as nextTurn } from 'node:timers/promises';
import { ContextVariable } from './context-variable';

const first = new ContextVariable<string>();
const second = new ContextVariable<number>();
const both = () => [first.get(), second.get()];

describe('a context variable', () => {
  it('has no value outside of its work', () => {
    expect(first.run('a', both)).toEqual(['a', undefined]);
    expect(both()).toEqual([undefined, undefined]);
  });

  it('keeps the values of the others, and gets its own back afterwards', () => {
    first.run('a', () => {
      second.run(1, () => {
        expect(first.run('b', both)).toEqual(['b', 1]);
        expect(first.run(undefined, both)).toEqual([undefined, 1]);
        expect(both()).toEqual(['a', 1]);
      });
      expect(both()).toEqual(['a', undefined]);
    });
  });

  it('belongs to the work, whatever else runs at the same time', async () => {
    const work = async () => {
      const before = both();
      await nextTurn();
      return [before, await second.run(2, async () => nextTurn(both()))];
    };
    const [one, other] = await Promise.all([first.run('a', work), first.run('b', work)]);
    expect(one).toEqual([
      ['a', undefined],
      ['a', 2],
    ]);
    expect(other).toEqual([
      ['b', undefined],
      ['b', 2],
    ]);
  });
});
