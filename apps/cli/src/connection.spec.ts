import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chooseConnection, chooseService, type ConnectionOptions, validUrl } from './connection';
import { readEnvironment } from './environment';
import { LoginFile } from './login-file';

let folder: string;
let logins: LoginFile;

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'counterfoil-logins-'));
  logins = new LoginFile(folder);
  await logins.store('default', { url: 'https://stored', key: 'sk_stored' });
  await logins.store('other', { url: 'https://other', key: 'sk_other' });
});
afterEach(() => rmSync(folder, { recursive: true }));

const ENV = { COUNTERFOIL_URL: 'https://env/', COUNTERFOIL_KEY: 'sk_env' };
const LOCAL = { COUNTERFOIL_LOCAL_URL: 'http://local', COUNTERFOIL_LOCAL_KEY: 'sk_local' };

interface Case {
  readonly options?: ConnectionOptions;
  readonly env?: NodeJS.ProcessEnv;
}
const choose = ({ options = {}, env = {} }: Case) => chooseConnection(options, readEnvironment(env), logins);

describe('the service and its key', () => {
  it.each<[string, Case, string]>([
    ['the stored login', { env: LOCAL }, 'https://stored sk_stored'],
    ['the environment before the login', { env: ENV }, 'https://env sk_env'],
    [
      'a profile before the environment',
      { options: { profile: 'other' }, env: ENV },
      'https://other sk_other',
    ],
    [
      'options first',
      { options: { url: 'https://given', key: 'sk_given' }, env: ENV },
      'https://given sk_given',
    ],
    ['another key for the stored service', { env: { COUNTERFOIL_KEY: 'sk_env' } }, 'https://stored sk_env'],
    [
      'the stored key for its own service',
      { options: { url: 'https://stored/' } },
      'https://stored sk_stored',
    ],
  ])('are %s', async (_, given, expected) => {
    const { url, key } = await choose(given);
    expect(`${url} ${key}`).toBe(expected);
  });

  it('are those of the same clone without anything else', async () => {
    await logins.remove('default');
    expect(await choose({ env: LOCAL })).toEqual({ url: 'http://local', key: 'sk_local' });
    await expect(choose({})).rejects.toMatchObject({ exitCode: 4 });
  });

  it.each<[string, Case, number]>([
    ['a stored key for another service', { options: { url: 'https://given' } }, 4],
    ['a profile that is not stored', { options: { profile: 'none' } }, 4],
    ['an address that is none', { options: { url: 'given' } }, 2],
  ])('are not %s', async (_, given, exitCode) => {
    await expect(choose(given)).rejects.toMatchObject({ exitCode });
  });

  it('need no key where none is used', async () => {
    expect(await chooseService({ url: 'https://given' }, readEnvironment({}), logins)).toBe('https://given');
  });
});

describe('an address', () => {
  it.each([
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['https://books.example.com/prefix/', 'https://books.example.com/prefix'],
  ])('%s is %s', (text, expected) => expect(validUrl(text)).toBe(expected));

  it.each(['ftp://a', 'https://user:secret@a', 'https://a?b', 'https://a#b', ''])('is not %j', (text) =>
    expect(() => validUrl(text)).toThrow(expect.objectContaining({ exitCode: 2 })),
  );
});

it('a damaged file of logins is named', async () => {
  writeFileSync(logins.path, '{');
  await expect(logins.find('default')).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(folder),
  });
});
