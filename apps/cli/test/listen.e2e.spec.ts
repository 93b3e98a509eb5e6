import { type TestService, DEMO_KEY, startApiService, until } from '@counterfoil/test-harness';
import { CliHome, ended } from './cli-process';

interface Listened {
  readonly id: string;
  readonly cursor: string;
}

let service: TestService;
const home = new CliHome();

beforeAll(async () => {
  service = await startApiService();
  home.use(service.url, DEMO_KEY);
}, 300_000);
afterAll(async () => {
  await service?.stop();
  home.remove();
});

async function trigger(type = 'document.created'): Promise<string> {
  const sent = { type, target: 'stream' };
  return (await service.request<{ eventId: string }>('POST', '/webhooks/trigger', sent)).body.eventId;
}

/** Runs `listen` until it has printed an event for each of the ids that `during` returns, and ends it by Ctrl-C. */
async function listen(args: readonly string[], during: () => Promise<readonly string[]>) {
  const child = home.start(['listen', '--json', ...args]);
  const end = ended(child);
  const lines: string[] = [];
  child.stdout.on('data', (text: string) => lines.push(...text.split('\n').filter((line) => line !== '')));
  await until('the secret', () => lines.some((line) => line.includes('whsec_')));
  const ids = await during();
  await until('the events', () => ids.every((id) => lines.some((line) => line.includes(`"id":"${id}"`))));
  child.kill('SIGINT');
  const { exitCode, stderr } = await end;
  const events = lines.slice(1).map((line) => JSON.parse(line) as Listened);
  const [, place = ''] = /listen with --after (\S+)$/m.exec(stderr) ?? [];
  return {
    exitCode,
    stderr,
    ids: events.map(({ id }) => id),
    cursors: events.map(({ cursor }) => cursor),
    place,
  };
}

describe('counterfoil listen that is started again', () => {
  it('begins with the next event, and says so', async () => {
    const first = await listen([], async () => [await trigger()]);
    const missed = await trigger();
    const second = await listen([], async () => [await trigger()]);
    expect(first.stderr).toContain('listening for new events');
    expect(second.stderr).toContain('listening for new events');
    expect(second.ids).toHaveLength(1);
    expect(second.ids).not.toContain(missed);
    expect([first.exitCode, second.exitCode]).toEqual([130, 130]);
  }, 300_000);

  it('continues with --after where it ended, or after any event that it has printed', async () => {
    const first = await listen([], async () => [await trigger(), await trigger()]);
    const missed = [await trigger(), await trigger('charge.failed')];
    expect(first.place).toBe(first.cursors[1]);
    const second = await listen(['--after', first.place], async () => [...missed, await trigger()]);
    expect(second.ids.slice(0, 2)).toEqual(missed);
    expect(second.ids).toHaveLength(3);
    expect(second.stderr).toContain('listening for events after the given place');
    const third = await listen(['--after', first.cursors[0]!], () => Promise.resolve(second.ids));
    expect(third.ids).toEqual([first.ids[1], ...second.ids]);
  }, 300_000);

  it('continues after events that --events left out', async () => {
    const { place } = await listen(['--events', 'charge.failed'], async () => {
      await trigger();
      return [await trigger('charge.failed')];
    });
    const ids = [await trigger()];
    expect((await listen(['--after', place], () => Promise.resolve(ids))).ids).toEqual(ids);
  }, 300_000);

  it('refuses a place that is none', async () => {
    const { exitCode, stderr } = await home.run(['listen', '--after', 'yesterday']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('INVALID_CURSOR');
  }, 300_000);
});
