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
  'a list joined by what only a run would tell':
    "export const find = (t: string, by: string) => new RegExp(['a', 'b'].join(by));",
  'one that only a run would tell': 'export const find = (t: string) => new RegExp(t);',
  'a string that match compiles': "export const find = (t: string) => t.match('(a+)+$');",
  'a constant that matchAll compiles': "const P = '(a+)+$'; export const all = (t: string) => t.matchAll(P);",
  'a string that search compiles': "export const at = (t?: string | null) => t?.search('^(?:a+)+$');",
  'a call by the name in brackets': "export const find = (t: string) => t['match']('(a+)+$');",
  'a parameter that match compiles': 'export const find = (t: string, p: string) => t.match(p);',
  'a parameter that may be a string': 'export const find = (t: string, p: string | RegExp) => t.search(p);',
  'a constant of another file':
    "import { PATTERN } from './constants'; export const find = (t: string) => t.match(PATTERN);",
};
const CONSTANTS = "export const PATTERN = '(a+)+$'; export const LINEAR = /a+/g;";

const ACCEPTED: Readonly<Record<string, string>> = {
  'a linear one': String.raw`export const P = /^[a-z]+(?<!\/)\/+$/;`,
  'a pattern with a sum of numbers': 'const N = 1; export const P = new RegExp(`^(?:a{1,${N + 0}})+$`);',
  'a linear string': "export const find = (t: string) => t.match('^a+b');",
  'a pattern of another file':
    "import { LINEAR } from './constants'; export const all = (t: string) => t.matchAll(LINEAR);",
  'a parameter that is a pattern': 'export const find = (t: string, p: RegExp) => t.search(p);',
  'a method of another class':
    'class Address { match(other: string) { return other; } } export const a = (t: string) => new Address().match(t);',
  'strings that are not compiled': "export const f = (t: string, s: string) => t.replaceAll(s, '').split(s);",
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
  write('libs/planted/src/constants.ts', CONSTANTS);
  for (const [name, code] of Object.entries({ ...PLANTED, ...ACCEPTED })) write(fileOf(name), code);
  const script = path.join(ROOT, 'tools/check-patterns.mjs');
  const run = spawnSync(process.execPath, [script, folder], { encoding: 'utf8', timeout: 110_000 });
  fs.rmSync(folder, { recursive: true, force: true });
  status = run.status;
  problems = run.stderr.trim().split('\n');
}, 120_000);

const problemsIn = (file: string) => problems.filter((problem) => problem.startsWith(`${file}:`));

it.each(Object.keys(PLANTED))('refuses %s that may take more than linear time', (name) => {
  expect(status).toBe(1);
  expect(problemsIn(fileOf(name)).length).toBeGreaterThan(0);
});

it.each(Object.keys(ACCEPTED))('accepts %s', (name) => {
  expect(problemsIn(fileOf(name))).toEqual([]);
});

it('accepts any pattern in tests', () => {
  expect(problemsIn(TEST)).toEqual([]);
});

it('refuses an unused exception', () => {
  expect(problems).toContainEqual(
    expect.stringMatching(
      /^tools\/patterns\/justified\.mjs: no longer needed: libs\/kernel\/src\/timestamp\.ts/,
    ),
  );
});
