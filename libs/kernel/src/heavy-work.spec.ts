import { slicesOf } from './heavy-work';

describe('slicesOf', () => {
  it('yields all items in order', () => {
    expect([...slicesOf([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('yields nothing for an empty list', () => {
    expect([...slicesOf([], 2)]).toEqual([]);
  });
});
