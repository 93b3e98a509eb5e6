import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from './projects';

const DIST = path.join(ROOT, 'dist');
const ADMIN = 'apps/admin/src/main.js';
const WITH_SOURCE_MAPS = ['--enable-source-maps'];

/** The file that provides the joined modules of the last build. */
const LOADER = (() => {
  const index = fs.readFileSync(path.join(DIST, 'programs/index.js'), 'utf8');
  return path.join(DIST, 'programs', /'\.\/(.+)'/.exec(index)?.[1] ?? 'none');
})();

/** Runs code that may use the packages of programs, and returns what it prints. */
function run(code: string, flags: readonly string[] = []): string {
  const cwd = path.join(DIST, 'apps/api/src');
  return execFileSync(process.execPath, [...flags, '-e', `require('reflect-metadata'); ${code}`], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
}

/** Runs the same code with modules from their own files, and with joined ones. */
const bothWays = (code: string): { own: string; joined: string } => ({
  own: run(`\n${code}`, WITH_SOURCE_MAPS),
  joined: run(`require(${JSON.stringify(LOADER)}).provide();\n${code}`),
});

/** Returns the own modules that Node has loaded itself when a program ends, relative to dist/. */
function loadedByNode(program: string, flags: readonly string[] = []): string[] {
  const preload = path.join(__dirname, 'print-modules.cjs');
  const args = [...flags, '--require', preload, path.join(DIST, program)];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return (JSON.parse(stdout) as string[]).map((file) => path.relative(DIST, file));
}

describe('the modules of programs', () => {
  it.each([[[]], [['--max-semi-space-size=32']], [WITH_SOURCE_MAPS]])(
    'are loaded from compiled code, with the options %j of Node',
    (flags) => {
      expect(run(`console.log(require(${JSON.stringify(LOADER)}).provide().usesCache)`, flags)).toBe(
        'true\n',
      );
    },
  );

  it('are joined for a program, but are in their own files for a debugger', () => {
    const [first, ...others] = loadedByNode(ADMIN);
    expect(first).toBe(ADMIN);
    // Few cannot be joined: their raw templates have characters that must be escaped.
    expect(others.length).toBeLessThan(3);
    expect(loadedByNode(ADMIN, ['--inspect=127.0.0.1:0']).length).toBeGreaterThan(200);
  });

  it('export the same values as from their own files', () => {
    const files = run(`console.log(require(${JSON.stringify(LOADER)}).provide().files.join('\\n'))`)
      .trim()
      .split('\n');
    expect(files.length).toBeGreaterThan(1_000);
    const { own, joined } = bothWays(`
      const shown = (key, value) => typeof value === 'function' ? 'function ' + value.name
        : value instanceof RegExp ? String(value) + value.test('₪ שח') : value;
      for (const file of ${JSON.stringify(files)}) {
        try { console.log(file, JSON.stringify(require(file), shown)); }
        catch (error) { console.log(file, Object.keys(require(file)).join(), error.message); }
      }`);
    expect(joined.length).toBeGreaterThan(100_000);
    expect(joined).toBe(own);
  });

  it('are named by the stacks of errors as sources, with their lines', () => {
    const { own, joined } = bothWays(`
      const { loadConfig } = require('../../../libs/config/src/index.js');
      try { loadConfig({ PORT: 'abc' }); } catch (error) { console.log(error.stack); }`);
    expect(joined).toMatch(/\n {4}at \S.*libs\/config\/src\/[a-z-]+\.ts:\d+:\d+\)?\n/);
    expect(joined).toBe(own);
  });

  it('leave the code of an error of Node in its stack', () => {
    const { own, joined } = bothWays(`try { Buffer.alloc('x'); } catch ({ stack }) { console.log(stack); }`);
    expect(joined).toContain('TypeError [ERR_INVALID_ARG_TYPE]: ');
    expect(joined).toBe(own);
  });
});
