import { DEMO_KEY, queueStores, startService, type TestService, until } from '@counterfoil/test-harness';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { CliHome, ended } from './cli-process';

const LIMIT_MS = 60_000;

let service: TestService;
let home: CliHome;

beforeAll(async () => {
  service = await startService(queueStores()[0]!);
});
afterAll(() => service?.stop());
beforeEach(() => {
  home = new CliHome();
});
afterEach(() => home.remove());

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);
const login = (...args: string[]) => home.run(['login', '--url', service.url, ...args], `${DEMO_KEY}\n`);

describe('counterfoil login', () => {
  it('stores an accepted key in a file that only the user can read, and later commands use it', async () => {
    const { exitCode, stdout, stderr } = await login();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^Logged in to .+ at http/);
    expect(stdout).not.toContain(DEMO_KEY);
    expect([modeOf(home.loginFile), modeOf(path.dirname(home.loginFile))]).toEqual(['600', '700']);
    expect(JSON.parse(readFileSync(home.loginFile, 'utf8'))).toEqual({
      default: { url: service.url, key: DEMO_KEY },
    });
    expect(await home.json('documents', 'list')).toEqual([]);
  });

  it('stores nothing if the key is wrong, or the service is down', async () => {
    const wrong = await home.run(['login', '--url', service.url], 'sk_test_wrong\n');
    expect(wrong).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('UNAUTHENTICATED') });
    const down = await home.run(['login', '--url', 'http://127.0.0.1:9'], `${DEMO_KEY}\n`);
    expect(down).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('CONNECTION_FAILED') });
    expect(existsSync(home.loginFile)).toBe(false);
  });

  it.each([
    ['no key', ['--url', 'http://127.0.0.1:9'], ''],
    ['a key among the arguments', ['--url', 'http://127.0.0.1:9', '--key', DEMO_KEY], ''],
    ['an address that is none', ['--url', 'books.example.com'], DEMO_KEY],
    ['no address', [], DEMO_KEY],
  ])('refuses %s', async (_, args, input) => {
    expect(await home.run(['login', ...args], input)).toMatchObject({ exitCode: 2, stdout: '' });
  });

  it('keeps several logins by profile, and deletes one at a time', async () => {
    await login();
    await login('--profile', 'books');
    expect(await home.json('documents', 'list', '--profile', 'books')).toEqual([]);
    expect(await home.json('logout')).toEqual([{ profile: 'default', removed: true }]);
    expect(await home.run(['documents', 'list'])).toMatchObject({ exitCode: 4 });
    expect(await home.json('documents', 'list', '--profile', 'books')).toEqual([]);
    expect(await home.json('logout', '--profile', 'books')).toEqual([{ profile: 'books', removed: true }]);
    expect(existsSync(home.loginFile)).toBe(false);
    expect(await home.json('logout')).toEqual([{ profile: 'default', removed: false }]);
  });

  it('sends a stored key to no other service', async () => {
    await login();
    const other = await home.run(['documents', 'list', '--url', 'http://127.0.0.1:9']);
    expect(other).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('no key for') });
  });

  it('asks for the key on a terminal without showing it', async () => {
    const child = home.onTerminal(['login', '--url', service.url]);
    const outcome = ended(child);
    let seen = '';
    child.stdout.on('data', (text: string) => (seen += text));
    await until('the question', () => seen.includes('Key for'), LIMIT_MS);
    child.stdin.write(`${DEMO_KEY}\r`);
    const { exitCode, stdout } = await outcome;
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('Logged in to') });
    expect(stdout).not.toContain(DEMO_KEY);
    expect(existsSync(home.loginFile)).toBe(true);
  });

  it('ends when Ctrl-C is typed at the question', async () => {
    const child = home.onTerminal(['login', '--url', service.url]);
    const outcome = ended(child);
    let seen = '';
    child.stdout.on('data', (text: string) => (seen += text));
    await until('the question', () => seen.includes('Key for'), LIMIT_MS);
    child.stdin.write('\u0003');
    expect(await outcome).toMatchObject({ exitCode: 130 });
    expect(existsSync(home.loginFile)).toBe(false);
  });
});
