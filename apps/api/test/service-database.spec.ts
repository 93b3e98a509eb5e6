import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from './projects';

const LIMIT_MS = 600;

/** Waits for a stand-in of the server. Prints how the wait ended, and after which time. */
const SCRIPT = `
  import { whenReady } from './tools/lib/service-database.mjs';
  const [states, limitMs] = JSON.parse(process.argv[1]);
  const started = performance.now();
  const tookMs = () => Math.round(performance.now() - started);
  const stateNow = () => states.findLast(([fromMs]) => fromMs <= tookMs())[1];
  const stop = new AbortController();
  const server = {
    log: '/data/postgres.log',
    isRunning: () => stateNow() !== 'ended',
    isReady: async () => {
      if (stateNow() === 'stopping') stop.abort(new Error('the service stops'));
      return stateNow() === 'ready';
    },
  };
  const serverNow = () => (stateNow() === 'restarting' ? null : server);
  const ended = await whenReady(serverNow, { until: stop.signal, limitMs }).then(
    () => 'ready',
    ({ name, message }) => name + ': ' + message,
  );
  console.log(JSON.stringify({ ended, tookMs: tookMs() }));
`;

type State = 'ready' | 'busy' | 'ended' | 'restarting' | 'stopping';

/** @param states the state of the server from each of these moments on */
async function wait(...states: readonly (readonly [fromMs: number, State])[]) {
  const args = ['--input-type=module', '-e', SCRIPT, JSON.stringify([states, LIMIT_MS])];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  return JSON.parse(stdout) as { ended: string; tookMs: number };
}

describe('the wait for the embedded database', () => {
  it('ends at once if it accepts connections', async () => {
    expect(await wait([0, 'ready'])).toMatchObject({ ended: 'ready' });
  });

  it('ends with a fault if it runs and accepts none for too long', async () => {
    const { ended, tookMs } = await wait([0, 'busy']);
    expect(ended).toBe(
      'Fault: the embedded PostgreSQL runs, but has not accepted connections for 0.6 s (see /data/postgres.log)',
    );
    expect(tookMs).toBeGreaterThanOrEqual(LIMIT_MS);
  });

  it('takes as long as it takes to start it again', async () => {
    const endsMs = 3 * LIMIT_MS;
    const { ended, tookMs } = await wait([0, 'ended'], [LIMIT_MS, 'restarting'], [endsMs, 'ready']);
    expect(ended).toBe('ready');
    expect(tookMs).toBeGreaterThanOrEqual(endsMs);
  });

  it('has its full time again after a restart', async () => {
    const restartedMs = 2 * LIMIT_MS;
    const { ended, tookMs } = await wait([0, 'busy'], [100, 'restarting'], [restartedMs, 'busy']);
    expect(ended).toMatch(/^Fault: /);
    expect(tookMs).toBeGreaterThanOrEqual(restartedMs + LIMIT_MS - 250);
  });

  it('ends when the service stops', async () => {
    expect(await wait([0, 'busy'], [100, 'stopping'])).toMatchObject({ ended: 'Error: the service stops' });
  });
});
