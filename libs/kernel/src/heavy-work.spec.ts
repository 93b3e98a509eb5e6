import { slicesOf } from './heavy-work';

describe('slicesOf', () => {
  it('has all items in their order', () => {
    expect([...slicesOf([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('has no slice of an empty list', () => {
    expect([...slicesOf([], 2)]).toEqual([]);
  });
});
