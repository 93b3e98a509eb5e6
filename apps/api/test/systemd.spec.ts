import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';

const ROOT = path.resolve(__dirname, '../../..');
const FOLDER = path.join(ROOT, 'deploy/systemd');
const HARDENING = 'counterfoil-.service.d/hardening.conf';
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8');

/** The values of each setting, in the order of a unit and its drop-in. */
type Unit = ReadonlyMap<string, readonly string[]>;

function readUnit(...files: string[]): Unit {
  const unit = new Map<string, string[]>();
  const lines = files.flatMap((file) => fs.readFileSync(path.join(FOLDER, file), 'utf8').split('\n'));
  for (const line of lines) {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (name !== '') unit.set(name, [...(unit.get(name) ?? []), value]);
  }
  return unit;
}

const names = fs.readdirSync(FOLDER).filter((name) => name.endsWith('.service'));
const units = names.map((name) => [name, readUnit(name, HARDENING)] as const);
const unitOf = (name: string) => units.find(([one]) => one === `counterfoil-${name}.service`)![1];
const last = (unit: Unit, name: string) => unit.get(name)?.at(-1);

/** Variables that a unit sets, with the credentials directory as `%d`. */
function variablesOf(unit: Unit): ReadonlyMap<string, string> {
  const words = (unit.get('Environment') ?? []).flatMap((line) => line.split(' '));
  return new Map(words.map((word) => [word.split('=', 1)[0]!, word.slice(word.indexOf('=') + 1)]));
}

const DOCUMENTED = new Set(
  [...read('docs/configuration.md').matchAll(/^\| `([A-Z0-9_]+)`/gm)].map(([, name = '']) => name),
);
const SECRETS = [...DOCUMENTED].filter((name) => DOCUMENTED.has(`${name}_FILE`));
const { services } = parse(read('docker/compose.yaml'), { merge: true }) as {
  readonly services: Readonly<
    Record<
      string,
      { readonly command: readonly string[]; readonly mem_limit: string; readonly pids_limit: number }
    >
  >;
};

it('has a unit for each process', () => {
  expect(names.sort()).toEqual(
    ['api', 'migrate', 'reader', 'worker'].map((name) => `counterfoil-${name}.service`),
  );
});

describe.each(units)('%s', (name, unit) => {
  const service = /^counterfoil-(\w+)/.exec(name)![1]!;

  it('has no privileges, and writes nothing but its own folders', () => {
    const expected = {
      NoNewPrivileges: 'yes',
      ProtectSystem: 'strict',
      CapabilityBoundingSet: '',
      RestrictNamespaces: 'yes',
    };
    expect(Object.fromEntries(Object.keys(expected).map((key) => [key, last(unit, key)]))).toEqual(expected);
    expect(last(unit, 'User')).toMatch(/^counterfoil/);
    expect(last(unit, 'Group')).toBe('counterfoil');
    // V8 compiles to memory that is executed.
    expect(unit.has('MemoryDenyWriteExecute')).toBe(false);
  });

  it('sets only variables that exist, and secrets only as credentials', () => {
    const variables = variablesOf(unit);
    expect([...variables.keys()].filter((key) => !DOCUMENTED.has(key))).toEqual([]);
    expect([...variables.keys()].filter((key) => SECRETS.includes(key))).toEqual([]);
    const files = [...variables].filter(([key]) => key.endsWith('_FILE'));
    const credentials = (unit.get('LoadCredential') ?? []).map((line) => line.split(':'));
    for (const [credential, file] of credentials) expect(file).toBe(`/etc/counterfoil/secrets/${credential}`);
    expect(files.map(([, file]) => file).sort()).toEqual(credentials.map(([one]) => `%d/${one}`).sort());
  });

  it('runs the command of the compose file, with its limits', () => {
    const { command, mem_limit: memory, pids_limit: tasks } = services[service]!;
    expect(last(unit, 'ExecStart')!.split(' ')).toEqual(command);
    expect(last(unit, 'MemoryMax')).toBe(memory.toUpperCase());
    expect(last(unit, 'TasksMax')).toBe(String(tasks));
  });

  it('is started again, for however long the database is away', () => {
    expect(last(unit, 'Restart')).toBe(service === 'migrate' ? 'on-failure' : 'always');
    expect(last(unit, 'StartLimitIntervalSec')).toBe('0');
    if (service !== 'migrate') expect(parseInt(last(unit, 'TimeoutStopSec')!, 10)).toBeGreaterThan(10);
  });
});

it('API and worker wait for the migration, but do not depend on its success', () => {
  for (const unit of [unitOf('api'), unitOf('worker')]) {
    expect(last(unit, 'After')).toContain('counterfoil-migrate.service');
    expect(last(unit, 'Wants')).toContain('counterfoil-migrate.service');
    // Otherwise a restart of the migration would stop them, and a failure would leave them stopped.
    expect([unit.has('Requires'), unit.has('BindsTo'), unit.has('PartOf')]).toEqual([false, false, false]);
  }
});

it("the administrator's commands have the settings, the secrets and the data folder of the worker", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-admin-'));
  const own = path.join(folder, 'counterfoil.env');
  // The same script in other folders, with a program that prints its environment.
  const script = fs
    .readFileSync(path.join(FOLDER, 'admin.sh'), 'utf8')
    .replace('cd /opt/counterfoil', `cd ${ROOT}`)
    .replaceAll('/etc/counterfoil/counterfoil.env', own)
    .replace('dist/apps/admin/src/main.js', '-p "JSON.stringify(process.env)"');
  const run = (): Record<string, string> => {
    const env = { PATH: process.env['PATH'], DATA_DIR: '/other' };
    return JSON.parse(execFileSync('sh', ['-c', script], { env }).toString()) as Record<string, string>;
  };
  try {
    const worker = variablesOf(unitOf('worker'));
    const real = (value = '') => value.replace('%S', '/var/lib').replace('%d', '/etc/counterfoil/secrets');
    const withoutFile = run();
    for (const name of ['NODE_ENV', 'DATA_DIR', 'DATABASE_URL_FILE', 'SECRETS_KEY_FILE'])
      expect([name, withoutFile[name]]).toEqual([name, real(worker.get(name))]);
    // The file counts more, as for the units.
    fs.writeFileSync(own, 'DATA_DIR=/srv/files\nMAIL_FROM=Books & Co <books@example.com>\n');
    expect(run()).toMatchObject({ DATA_DIR: '/srv/files', MAIL_FROM: 'Books & Co <books@example.com>' });
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});

it('only the migration gets the role that owns the tables', () => {
  const owners = units.filter(([, unit]) => variablesOf(unit).has('MIGRATION_DATABASE_URL_FILE'));
  expect(owners.map(([name]) => name)).toEqual(['counterfoil-migrate.service']);
});

describe('the reader', () => {
  const reader = unitOf('reader');

  it('has no network, no secret, a user of its own, and no file of the service', () => {
    expect(last(reader, 'PrivateNetwork')).toBe('yes');
    expect(reader.get('RestrictAddressFamilies')).toEqual(['AF_UNIX']);
    expect(reader.has('LoadCredential')).toBe(false);
    expect(last(reader, 'User')).toBe('counterfoil-reader');
    expect(last(reader, 'InaccessiblePaths')).toContain('-/etc/counterfoil -/var/lib');
    const unset = (reader.get('UnsetEnvironment') ?? []).flatMap((line) => line.split(' '));
    expect(unset).toEqual(expect.arrayContaining(SECRETS));
  });

  it('serves the socket that the worker uses, which never reads receipts itself', () => {
    const socket = variablesOf(reader).get('READER_SOCKET');
    expect(socket).toBe(`%t/${last(reader, 'RuntimeDirectory')}/reader.sock`);
    const worker = variablesOf(unitOf('worker'));
    expect([worker.get('READER_SOCKET'), worker.get('READER_SANDBOX')]).toEqual([socket, 'require']);
    expect(last(unitOf('worker'), 'Wants')).toContain('counterfoil-reader.service');
  });
});

it('the users of the units are made', () => {
  const made = [...read('deploy/systemd/counterfoil.sysusers.conf').matchAll(/^u (\S+)/gm)].map(
    ([, user]) => user,
  );
  const used = units.flatMap(([, unit]) => [last(unit, 'User')!, last(unit, 'Group')!]);
  expect(new Set(used)).toEqual(new Set(made));
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
/** 0 is the best. The network, the memory for compiled code and resource calls are what a service of this kind needs. */
const EXPOSURE = { api: 15, migrate: 15, reader: 6, worker: 15 };
(hasSystemd ? it.each : it.skip.each)(Object.entries(EXPOSURE))(
  'systemd-analyze finds no mistake in the unit %s, and little exposure',
  (name, threshold) => {
    const file = path.join(FOLDER, `counterfoil-${name}.service`);
    const analyze = (...args: string[]) =>
      spawnSync('systemd-analyze', [...args, file], { encoding: 'utf8' });
    // It also reports faults of other units of this machine, and a Node that is not where units look for programs.
    const faults = analyze('verify').stderr.split('\n');
    const own = faults.filter((line) => line.includes('counterfoil-') && !/Command node is not/.test(line));
    expect(own).toEqual([]);
    const { status, stdout, stderr } = analyze('security', '--offline=true', `--threshold=${threshold}`);
    expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
  },
);
