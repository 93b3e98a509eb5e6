import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { projects, ROOT } from './projects';

/** The kinds that `npm test` leaves out, which are run by name. */
const LONG = ['trial', 'bench'];
const OUTSIDE = ['node_modules', 'dist', 'tmp'];

const execute = promisify(execFile);
const load = <T extends object>(file: string): T => jest.requireActual<T>(path.join(ROOT, file));
const { WHOLE_RUN } = load<{ WHOLE_RUN: readonly string[] }>('jest.preset.js');

/** The test files of the repository by name, relative to its root. */
const testFiles = fs
  .readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !OUTSIDE.includes(entry.name))
  .flatMap(({ name }) =>
    fs
      .readdirSync(path.join(ROOT, name), { recursive: true, encoding: 'utf8' })
      .map((file) => `${name}/${file}`),
  )
  .filter((file) => /\.(spec|trial|bench)\.ts$/.test(file))
  .sort();

/** The files that Jest finds for a kind with the configuration of the whole run. */
async function filesOf(kind: string): Promise<string[]> {
  const jestProgram = path.join(ROOT, 'node_modules/jest/bin/jest.js');
  const { stdout } = await execute(
    process.execPath,
    [jestProgram, '--config', 'jest.config.js', '--listTests'],
    {
      cwd: ROOT,
      env: { ...process.env, TEST_KIND: kind },
    },
  );
  const lines = stdout.split('\n').filter(Boolean);
  return lines.map((file) => path.relative(ROOT, file));
}

let found: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  const kinds = [...WHOLE_RUN, ...LONG];
  found = new Map(await Promise.all(kinds.map(async (kind) => [kind, await filesOf(kind)] as const)));
});

it('finds each test file for exactly one kind', () => {
  expect(testFiles).toContain('apps/api/test/whole-run.spec.ts');
  expect([...found.values()].flat().sort()).toEqual(testFiles);
});

it('runs every spec, and leaves out only trials and benches', () => {
  const specs = testFiles.filter((file) => file.endsWith('.spec.ts'));
  expect(WHOLE_RUN.flatMap((kind) => found.get(kind) ?? []).sort()).toEqual(specs);
});

it('leaves out tests that measure time if the others have taken longer than a limit, and no other tests', async () => {
  const code = `
    import { isLeftOut, limitOf } from './tools/testing/timed-limit.mjs';
    const hour = 3_600_000;
    const outcomes = [null, '60', '61'].map((text) =>
      ${JSON.stringify(WHOLE_RUN)}.filter((kind) => isLeftOut(kind, hour + 1, limitOf(text))).join());
    let refused;
    try { limitOf('1h'); } catch ({ message }) { refused = message; }
    console.log(JSON.stringify([...outcomes, refused]));`;
  const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', code], { cwd: ROOT });
  const refused = 'TEST_TIMED_WITHIN must be a number of minutes, not "1h"';
  expect(JSON.parse(stdout)).toEqual(['', 'timed', '', refused]);
});

it('runs each test file in exactly one project', () => {
  const configs = projects
    .map(({ root }) => `${root}/jest.config.js`)
    .filter((file) => fs.existsSync(path.join(ROOT, file)))
    .map((file) => load<{ rootDir: string; roots?: string[] }>(file));
  const folders = configs.map(({ rootDir, roots = [rootDir] }) =>
    roots.map((folder) => `${path.relative(ROOT, folder)}/`),
  );
  const runners = testFiles.map((file) => ({
    file,
    projects: folders.filter((own) => own.some((folder) => file.startsWith(folder))).length,
  }));
  expect(runners.filter((runner) => runner.projects !== 1)).toEqual([]);
});
