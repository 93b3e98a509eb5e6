import { progress } from './progress';

it('progress is printed at first, and then once a second at most', () => {
  jest.useFakeTimers();
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const report = progress((count: number) => `${count} rows`);
    for (let count = 1; count <= 21; count++) {
      report(count);
      jest.advanceTimersByTime(100);
    }
    expect(write.mock.calls.map(([line]) => line)).toEqual(['1 rows\n', '11 rows\n', '21 rows\n']);
  } finally {
    jest.useRealTimers();
    write.mockRestore();
  }
});
