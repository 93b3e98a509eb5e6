import { inOrder, Migration } from './migration';

class Second1795219200002 extends Migration {
  override readonly name = 'Second1795219200002';
  override async up(): Promise<void> {}
}
class First1795219200001 extends Second1795219200002 {}
class AlsoSecond1795219200002 extends Second1795219200002 {}
class Undated extends Second1795219200002 {}

describe('migrations', () => {
  it('are sorted by their timestamps', () => {
    expect(inOrder([Second1795219200002, First1795219200001])).toEqual([
      First1795219200001,
      Second1795219200002,
    ]);
  });

  it('are refused if two have the same timestamp', () => {
    expect(() => inOrder([Second1795219200002, AlsoSecond1795219200002])).toThrow(
      'migrations Second1795219200002 and AlsoSecond1795219200002 have the same timestamp',
    );
  });

  it('are refused without a timestamp', () => {
    expect(() => inOrder([Undated])).toThrow('migration Undated does not end in a timestamp');
  });

  it('cannot be reverted', () => {
    expect(() => new Second1795219200002().down()).toThrow(
      'Second1795219200002 cannot be reverted: migrations only go forward',
    );
  });
});
