import { getEventListeners, once } from 'node:events';
import { runUntilAborted } from './run-until-aborted';

const aborted = async (signal: AbortSignal) => {
  if (!signal.aborted) await once(signal, 'abort');
  return 'aborted';
};

describe('work until it is aborted', () => {
  it('ends with any of the signals, one that was aborted before included', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const signals = [first.signal, second.signal];
    const running = runUntilAborted(aborted, { signals });
    second.abort();
    expect(await running).toBe('aborted');
    expect(await runUntilAborted(aborted, { signals })).toBe('aborted');
  });

  it('ends after its time', async () => {
    expect(await runUntilAborted(aborted, { signals: [], limitMs: 10 })).toBe('aborted');
  });

  it('leaves nothing behind at the signals', async () => {
    const { signal } = new AbortController();
    await runUntilAborted(() => Promise.resolve(), { signals: [signal], limitMs: 60_000 });
    await expect(
      runUntilAborted(() => Promise.reject(new Error('x')), { signals: [signal] }),
    ).rejects.toThrow('x');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
