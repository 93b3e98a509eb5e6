import { SAME_INTERRUPTION_MS, untilInterrupted } from './interruption';

const STEP_MS = 60_000;

let exits: jest.SpyInstance;
let errors: jest.SpyInstance;

beforeEach(() => {
  jest.useFakeTimers();
  exits = jest.spyOn(process, 'exit').mockImplementation((() => undefined) as never);
  errors = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** Work whose current step takes a minute. */
const step = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, STEP_MS);
  }).then(() => signal.throwIfAborted());

/** Whether the work has ended, and how, after it could. */
async function endOf(work: Promise<unknown>): Promise<string> {
  const end = work.then(
    () => 'completed',
    (error: Error) => error.message,
  );
  await jest.advanceTimersByTimeAsync(STEP_MS);
  return end;
}

describe('an interruption', () => {
  it('ends the work after the current step, and says how to end it at once', async () => {
    const work = untilInterrupted('interrupted', step);
    process.emit('SIGINT', 'SIGINT');
    expect(errors).toHaveBeenCalledWith(expect.stringContaining('interrupt again to end at once'));
    expect(await endOf(work)).toBe('interrupted');
    expect(exits).not.toHaveBeenCalled();
  });

  it('is one, if the signal arrives twice at nearly the same time', async () => {
    const work = untilInterrupted('interrupted', step);
    process.emit('SIGINT', 'SIGINT');
    jest.advanceTimersByTime(SAME_INTERRUPTION_MS);
    process.emit('SIGTERM', 'SIGTERM');
    expect(exits).not.toHaveBeenCalled();
    expect(await endOf(work)).toBe('interrupted');
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends the process when %s comes again later', async (signal, code) => {
    const work = untilInterrupted('interrupted', step);
    process.emit('SIGINT', 'SIGINT');
    jest.advanceTimersByTime(SAME_INTERRUPTION_MS + 1);
    process.emit(signal, signal);
    expect(exits).toHaveBeenCalledWith(code);
    await endOf(work);
  });

  it('is no concern of work that completes, and signals are not handled afterwards', async () => {
    const before = process.listenerCount('SIGINT');
    expect(await endOf(untilInterrupted('interrupted', step))).toBe('completed');
    expect(process.listenerCount('SIGINT')).toBe(before);
  });
});
