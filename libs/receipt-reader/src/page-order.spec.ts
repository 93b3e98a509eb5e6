import { pageOrder } from './page-order';

describe('the order of pages', () => {
  it.each([
    [1, [1]],
    [2, [1, 2]],
    [3, [1, 3, 2]],
    [5, [1, 5, 2, 3, 4]],
  ])('of %i begins with the first and the last', (count, order) => {
    expect(pageOrder(count)).toEqual(order);
  });

  it('leaves out the pages before the last one if there are too many', () => {
    expect(pageOrder(200)).toEqual([1, 200, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});
