import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');

/**
 * Each pattern is in a file of its own, so that its messages can be found. One run checks all of them,
 * because its start takes most of the time.
 */
const PLANTED: Readonly<Record<string, string>> = {
  'a literal': String.raw`export const rules = (t: string) => t.matchAll(/([^{}]*)\{([^{}]*)\}/g);`,
  'a pattern made of constants': "const A = 'a+'; export const P = new RegExp(`(?:${A})+$`, 'i');",
  'a list that is joined': "export const P = new RegExp([String.raw`\\s+`, 'x$'].join(''), 'u');",
  'another with other flags': "const P = /x*x*$/; export const Q = new RegExp(P, 'g');",
  'one that only a run would tell': 'export const find = (t: string) => new RegExp(t);',
  'a linear one': String.raw`export const P = /^[a-z]+(?<!\/)\/+$/;`,
};
const fileOf = (name: string) => `libs/planted/src/${name.replaceAll(' ', '-')}.ts`;
const TEST = 'libs/planted/src/planted.spec.ts';

let status: number | null;
let problems: readonly string[];

beforeAll(() => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-patterns-'));
  const write = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  };
  write('apps/api/src/main.ts', '');
  write(TEST, 'export const P = /(a+)+$/;');
  for (const [name, code] of Object.entries(PLANTED)) write(fileOf(name), code);
  const script = path.join(ROOT, 'tools/check-patterns.mjs');
  const run = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
  fs.rmSync(folder, { recursive: true, force: true });
  status = run.status;
  problems = run.stderr.trim().split('\n');
}, 120_000);

const problemsIn = (file: string) => problems.filter((problem) => problem.startsWith(`${file}:`));

it.each(Object.keys(PLANTED).slice(0, -1))('refuses %s that may take more than linear time', (name) => {
  expect(status).toBe(1);
  expect(problemsIn(fileOf(name)).length).toBeGreaterThan(0);
});

it('accepts linear patterns, and tests', () => {
  expect(problemsIn(fileOf('a linear one'))).toEqual([]);
  expect(problemsIn(TEST)).toEqual([]);
});

it('refuses an unused exception', () => {
  expect(problems).toContainEqual(
    expect.stringMatching(
      /^tools\/patterns\/justified\.mjs: no longer needed: libs\/kernel\/src\/timestamp\.ts/,
    ),
  );
});
