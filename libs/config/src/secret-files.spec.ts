import { execFileSync, type StdioOptions } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SECRET_VARIABLES } from './secret-variables';
import { faultsOf, givenConfig } from './testing/given-config';

describe('secrets in files', () => {
  let folder: string;
  const file = (name: string, content: string): string => {
    fs.writeFileSync(path.join(folder, name), content);
    return path.join(folder, name);
  };

  beforeAll(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-files-'))));
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('are read without the line break that editors append', () => {
    const config = givenConfig({
      SECRETS_KEY: '',
      SECRETS_KEY_FILE: file('key', `${'s'.repeat(40)}\n`),
      DATABASE_URL: '',
      DATABASE_URL_FILE: file('database', 'postgres://runtime:x@db/books\n'),
      DIRECT_DATABASE_URL_FILE: file('direct', 'postgres://runtime:x@primary/books'),
      REPLICA_DATABASE_URL_FILE: file('replica', 'postgres://runtime:x@standby/books'),
      MIGRATION_DATABASE_URL_FILE: file('migration', 'postgres://owner:y@db/books'),
      REDIS_URL_FILE: file('redis', 'redis://:z@redis'),
    });
    expect(config).toMatchObject({
      secretsKeys: [{ id: null, key: 's'.repeat(40) }],
      databaseUrl: 'postgres://runtime:x@db/books',
      directDatabaseUrl: 'postgres://runtime:x@primary/books',
      replicaDatabaseUrl: 'postgres://runtime:x@standby/books',
      migrationDatabaseUrl: 'postgres://owner:y@db/books',
      redisUrl: 'redis://:z@redis',
    });
  });

  it.each(SECRET_VARIABLES)(
    '%s is refused with both variables set, and with a missing or empty file',
    (name) => {
      expect(faultsOf({ [name]: 'x', [`${name}_FILE`]: '/nowhere' })).toContain(
        `${name} and ${name}_FILE are both set: set one of them`,
      );
      const alone = (value: string) => faultsOf({ [name]: '', [`${name}_FILE`]: value });
      expect(alone('/nowhere/at/all')).toContain(`${name}_FILE: /nowhere/at/all cannot be read (ENOENT)`);
      const empty = file('empty', '\n');
      expect(alone(empty)).toContain(`${name}_FILE: ${empty} is empty`);
    },
  );

  it('must follow the same rules, and do not appear in a fault', () => {
    const wrong = faultsOf({
      DATABASE_URL: '',
      DATABASE_URL_FILE: file('wrong', 'mysql://root:hunter2@db/x'),
    });
    expect(wrong).toEqual([expect.stringContaining('DATABASE_URL must be a URL')]);
    expect(wrong.join()).not.toContain('hunter2');
  });
});

describe('the environment of a process', () => {
  /**
   * Returns the environment that a process and its children expose after it has read its configuration.
   *
   * @param passed what it reads from the file descriptor 3
   */
  function shownBy(
    env: Readonly<Record<string, string>>,
    passed = '',
  ): { own: string; child: string; config: string } {
    const script = `
      const { takeProcessEnvironment } = require('./process-environment.ts');
      const env = takeProcessEnvironment();
      const { execFileSync } = require('node:child_process');
      console.log(JSON.stringify({
        own: require('node:fs').readFileSync('/proc/self/environ', 'latin1'),
        child: execFileSync('env').toString(),
        config: [env.DATABASE_URL, env.SECRETS_KEY, process.env.AWS_SECRET_ACCESS_KEY].join(),
      }));`;
    const compile = path.join(folder(), 'run.cjs');
    fs.writeFileSync(compile, `${REGISTER}${script}`);
    const secrets = path.join(path.dirname(compile), 'passed');
    fs.writeFileSync(secrets, passed);
    const descriptor = fs.openSync(secrets, 'r');
    const options = { cwd: __dirname, env, encoding: 'utf8' } as const;
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', descriptor];
    try {
      const output = execFileSync(process.execPath, [compile], { ...options, stdio });
      return JSON.parse(output) as { own: string; child: string; config: string };
    } finally {
      fs.closeSync(descriptor);
    }
  }

  const REGISTER = `
    const { transformSync } = require(${JSON.stringify(require.resolve('@swc/core'))});
    const fs = require('node:fs');
    require.extensions['.ts'] = (module, file) =>
      module._compile(transformSync(fs.readFileSync(file, 'utf8'), {
        filename: file, swcrc: false, configFile: false,
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' },
      }).code, file);
    module.paths.unshift(${JSON.stringify(__dirname)});
    const local = require;
    require = (name) => local(name.startsWith('./') ? ${JSON.stringify(`${__dirname}/`)} + name.slice(2) : name);
  `;
  const folders: string[] = [];
  const folder = () => {
    folders.push(fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-environment-')));
    return folders.at(-1)!;
  };
  afterAll(() => folders.forEach((made) => fs.rmSync(made, { recursive: true, force: true })));

  it('exposes no secret after it was read, neither itself nor to child processes', () => {
    const { own, child, config } = shownBy({
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: 'postgres://runtime:hunter2@db/books',
      SECRETS_KEY: 'hunter2-and-more',
      SECRETS_KEYS: 'no secret of ours',
      AWS_SECRET_ACCESS_KEY: 'of the SDK, hunter2',
    });
    expect(config).toBe('postgres://runtime:hunter2@db/books,hunter2-and-more,of the SDK, hunter2');
    expect(own).not.toContain('hunter2');
    expect(own).toContain('SECRETS_KEYS=no secret of ours\0');
    expect(child).toContain('SECRETS_KEYS=no secret of ours');
    expect(child).not.toMatch(/DATABASE_URL|SECRETS_KEY=/);
  });

  it('has the secrets that a supervisor passes', () => {
    const env = { PATH: process.env['PATH'] ?? '', SECRETS_FD: '3' };
    const { own, child, config } = shownBy(env, JSON.stringify({ SECRETS_KEY: 'hunter2-and-more' }));
    expect(config).toBe(',hunter2-and-more,');
    expect(own + child).not.toContain('hunter2');
  });

  it('is refused if the supervisor ends before it passes them', () => {
    const env = { PATH: process.env['PATH'] ?? '', SECRETS_FD: '3' };
    expect(() => shownBy(env)).toThrow('the supervisor ended before it passed the secrets');
  });
});
