import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from './projects';

/** Builds with tools/build.mjs while `gone.ts` is listed but can no longer be read. Prints the outcome. */
const SCRIPT = `
  import fs from 'node:fs/promises';
  import { buildChanges } from './tools/build.mjs';
  const { readFile } = fs;
  fs.readFile = async (file, ...options) => {
    if (String(file).endsWith('gone.ts')) await fs.rm(file);
    return readFile(file, ...options);
  };
  await buildChanges(['libs']).then(
    ({ compiled }) => console.log(compiled.sort().join()),
    ({ name, code = 'none' }) => console.log([name, code].join()),
  );
`;

const isTool = (file: string): boolean => /[\\/]tools([\\/]lib)?([\\/][a-z-]+\.[cm]js)?$/.test(file);

let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-build-'));
  fs.cpSync(path.join(ROOT, 'tools'), path.join(folder, 'tools'), { recursive: true, filter: isTool });
  fs.mkdirSync(path.join(folder, 'libs/planted/src'), { recursive: true });
  fs.copyFileSync(path.join(ROOT, 'tsconfig.base.json'), path.join(folder, 'tsconfig.base.json'));
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const plant = (file: string, text: string) =>
  fs.writeFileSync(path.join(folder, 'libs/planted/src', file), text);
const build = () =>
  execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT], { cwd: folder }).toString().trim();

describe('the build', () => {
  it('distinguishes a source that disappeared from one that does not compile, so that the build can be repeated', () => {
    plant('broken.ts', 'const broken = ;\n');
    plant('gone.ts', 'export const one = 1;\n');
    expect(build()).toBe('Error,ENOENT');
    expect(build()).toBe('BuildError,none');
  });

  it('has programs load a changed module from its file, until modules are joined again', () => {
    const index = path.join(folder, 'dist/programs/index.js');
    fs.mkdirSync(path.dirname(index), { recursive: true });
    const isJoined = () => fs.existsSync(index);
    plant('one.ts', 'export const one = 1;\n');
    build();
    fs.writeFileSync(index, '');
    build();
    expect(isJoined()).toBe(true);
    plant('one.ts', 'export const one = 22;\n');
    build();
    expect(isJoined()).toBe(false);
    fs.writeFileSync(index, '');
    fs.rmSync(path.join(folder, 'libs/planted/src/one.ts'));
    build();
    expect(isJoined()).toBe(false);
  });

  it('compiles only changed files', () => {
    plant('one.ts', 'export const one = 1;\n');
    plant('other.ts', 'export const other = 1;\n');
    expect(build()).toBe('libs/planted/src/one.ts,libs/planted/src/other.ts');
    plant('other.ts', 'export const other = 22;\n');
    expect(build()).toBe('libs/planted/src/other.ts');
  });
});
