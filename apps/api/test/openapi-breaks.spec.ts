import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { BREAKING } from './planted-breaks';
import { COMPATIBLE } from './planted-compatible-changes';
import { DESCRIPTION, type Description } from './planted-description';

const ROOT = path.resolve(__dirname, '../../..');
const TOOL = path.join(ROOT, 'tools/check-openapi.mjs');
const COMPARISON = pathToFileURL(path.join(ROOT, 'tools/openapi')).href;

/**
 * The tools are ES modules, which Jest does not load. One process compares all pairs, because its start takes
 * most of the time.
 */
const JUDGE = `
  import { breakingChanges } from '${COMPARISON}/breaking-changes.mjs';
  import { grouped } from '${COMPARISON}/grouped-breaks.mjs';
  const pairs = JSON.parse((await process.stdin.toArray()).join(''));
  console.log(JSON.stringify(pairs.map(([before, after]) => grouped(breakingChanges(before, after)))));
`;

function judge(afters: readonly Description[]): string[][] {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', JUDGE], {
    input: JSON.stringify(afters.map((after) => [DESCRIPTION, after])),
    encoding: 'utf8',
  });
  if (stderr !== '') throw new Error(stderr);
  return JSON.parse(stdout) as string[][];
}

function changed(change: (description: Description) => unknown): Description {
  const copy = structuredClone(DESCRIPTION);
  change(copy);
  return copy;
}

describe('a breaking change', () => {
  let found: Readonly<Record<string, readonly string[]>>;
  beforeAll(() => {
    const lines = judge(Object.values(BREAKING).map(([change]) => changed(change)));
    found = Object.fromEntries(Object.keys(BREAKING).map((name, index) => [name, lines[index]!]));
  });

  it.each(Object.entries(BREAKING))('is reported: %s', (name, [, ...expected]) => {
    const told = found[name]!.map((line) => line.replace(/ \(and in \d+ other places\)$/, ''));
    expect(told).toEqual(expected);
  });
});

describe('a compatible change', () => {
  let found: Readonly<Record<string, readonly string[]>>;
  beforeAll(() => {
    const lines = judge(Object.values(COMPATIBLE).map(changed));
    found = Object.fromEntries(Object.keys(COMPATIBLE).map((name, index) => [name, lines[index]!]));
  });

  it.each(Object.keys(COMPATIBLE))('is accepted: %s', (name) => {
    expect(found[name]).toEqual([]);
  });
});

describe('npm run compat', () => {
  let folder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-compat-'));
    write({ changelog: '## [Unreleased]', version: '1.2.0' });
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  interface Written {
    readonly changelog?: string;
    readonly version?: string;
    readonly description?: Description;
  }

  function write({ changelog, version, description = DESCRIPTION }: Written): void {
    fs.mkdirSync(path.join(folder, 'docs'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'docs/openapi.json'), JSON.stringify(description));
    if (changelog) fs.writeFileSync(path.join(folder, 'CHANGELOG.md'), changelog);
    if (version) fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ version }));
  }

  function git(...args: string[]): void {
    const options = ['-c', 'user.name=x', '-c', 'user.email=x@localhost', '-c', 'commit.gpgsign=false'];
    const { status, stderr } = spawnSync('git', [...options, ...args], { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }

  function commit(): void {
    git('add', '.');
    git('commit', '--quiet', '--message', 'x');
  }

  function check(): { status: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, [TOOL, folder], { encoding: 'utf8' });
    return { status, output: stdout + stderr };
  }

  const withoutHealth = changed(({ paths }) => Reflect.deleteProperty(paths, '/health'));
  const RECORD = '- **Breaking**: `GET /health` is gone; ask `GET /health/live`.';

  it('reports that there is no base outside of a repository and before the first document', () => {
    const nothing = { status: 0, output: expect.stringContaining('compared with nothing') as string };
    expect(check()).toEqual(nothing);
    git('init', '--quiet', '--initial-branch', 'main');
    git('commit', '--quiet', '--allow-empty', '--message', 'x');
    expect(check()).toEqual(nothing);
  });

  it('compares a branch with the commit where it left main, whatever main did since', () => {
    git('init', '--quiet', '--initial-branch', 'main');
    commit();
    git('switch', '--quiet', '--create', 'change');
    expect(check()).toEqual({
      status: 0,
      output: 'no change of docs/openapi.json since the fork from main breaks callers\n',
    });
    write({ description: withoutHealth });
    commit();
    const { status, output } = check();
    expect(status).toBe(1);
    expect(output).toContain('compared with the fork from main:\n  GET /health, operation: is gone\n');
    expect(output).toContain('- **Breaking**:');
  });

  it('compares with the last release, also on main', () => {
    git('init', '--quiet', '--initial-branch', 'main');
    commit();
    git('tag', 'v1.2.0');
    write({ description: withoutHealth });
    commit();
    const { status, output } = check();
    expect(status).toBe(1);
    expect(output).toContain('compared with v1.2.0:');
  });

  it('accepts only breaks that the changelog records', () => {
    git('init', '--quiet', '--initial-branch', 'main');
    commit();
    git('tag', 'v1.2.0');
    write({ description: withoutHealth, changelog: `## [Unreleased]\n\n${RECORD}\n` });
    expect(check()).toEqual({ status: 0, output: expect.stringContaining('are recorded') as string });
    const { paths } = withoutHealth;
    write({ description: { ...withoutHealth, paths: { '/parties/{id}': paths['/parties/{id}']! } } });
    const { status, output } = check();
    expect(status).toBe(1);
    expect(output).toContain('  POST /parties/create, operation: is gone\n');
    expect(output).not.toContain('GET /health, operation');
  });

  it('does not accept a record of an earlier release for a new break', () => {
    write({ changelog: `## [1.2.0]\n\n${RECORD}\n` });
    git('init', '--quiet', '--initial-branch', 'main');
    commit();
    git('tag', 'v1.2.0');
    write({ description: withoutHealth });
    expect(check().status).toBe(1);
  });

  it.each([
    ['1.2.0', '1.3.0', 'at least 2.0.0'],
    ['1.2.0', '2.0.0', null],
    ['0.1.4', '0.1.5', 'at least 0.2.0'],
    ['0.1.4', '0.2.0', null],
  ])('requires a higher version for a release with a break: %s to %s', (before, after, refused) => {
    write({ version: before });
    git('init', '--quiet', '--initial-branch', 'main');
    commit();
    git('tag', `v${before}`);
    write({ description: withoutHealth, version: after, changelog: `## [${after}]\n\n${RECORD}\n` });
    const { status, output } = check();
    expect(status).toBe(refused === null ? 0 : 1);
    if (refused !== null) expect(output).toContain(refused);
  });
});
