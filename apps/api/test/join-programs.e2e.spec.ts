import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from './projects';

const DIST = path.join(ROOT, 'dist');
const PROGRAMS = ['admin', 'api', 'worker'].map((app) => `apps/${app}/src/main.js`);
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
  // Without settings, each ends when it has loaded its modules.
  const { stdout } = spawnSync(process.execPath, args, {
    env: { PATH: process.env['PATH'] },
    encoding: 'utf8',
  });
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

  it.each(PROGRAMS)('are joined for %s, but are in their own files for a debugger', (program) => {
    const [first, ...others] = loadedByNode(program).filter((file) => file.endsWith('.js'));
    expect(first).toBe(program);
    // Few cannot be joined: their raw templates have characters that must be escaped.
    expect(others.length).toBeLessThan(3);
    expect(loadedByNode(program, ['--inspect=127.0.0.1:0']).length).toBeGreaterThan(200);
  });

  it('run again if they have thrown an error, as modules in files do', () => {
    const module = '../../../libs/lifecycle/src/release.js';
    const { own, joined } = bothWays(`
      const fs = require('node:fs');
      const { existsSync } = fs;
      const load = () => {
        try { console.log(typeof require(${JSON.stringify(module)}).ROOT); } catch ({ message }) { console.log(message); }
      };
      fs.existsSync = () => { throw new Error('not now'); };
      load();
      load();
      fs.existsSync = existsSync;
      load();`);
    expect(joined).toBe('not now\nnot now\nstring\n');
    expect(joined).toBe(own);
  });

  it('export the same values as from their own files', () => {
    const files = run(`console.log(require(${JSON.stringify(LOADER)}).provide().files.join('\\n'))`)
      .trim()
      .split('\n');
    expect(files.length).toBeGreaterThan(1_000);
    const { own, joined } = bothWays(`
      // Characters that joining has escaped stay escapes in the source of an expression.
      const unescaped = (text) => text.replace(/\\\\u([0-9a-f]{4})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
      const shown = (key, value) => typeof value === 'function' ? 'function ' + value.name
        : value instanceof RegExp ? unescaped(String(value)) + value.test('₪ שח') : value;
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

  it('are named as sources if they are not joined, too', () => {
    const { own, joined } = bothWays(`
      const functions = Object.values(require('../../../libs/kernel/src/legal-forms.js'));
      const text = { replace() { throw new Error('found'); } };
      text.normalize = text.match = text.trim = text.toLowerCase = text.replaceAll = text.replace;
      try { functions.find((one) => typeof one === 'function' && one.length === 1)(text); }
      catch ({ stack }) { console.log(stack); }`);
    expect(joined).toMatch(/libs\/kernel\/src\/legal-forms\.ts:\d+/);
    expect(joined).toBe(own);
  });

  it('leave the code of an error of Node in its stack', () => {
    const { own, joined } = bothWays(`
      for (const fail of [() => Buffer.alloc('x'), () => require('node:assert').equal(1, 2)])
        try { fail(); } catch ({ stack }) { console.log(stack); }`);
    expect(joined).toContain('TypeError [ERR_INVALID_ARG_TYPE]: ');
    expect(joined).toBe(own);
  });
});
