// Joins the own modules of the programs into one file with a cache of their compiled code. A program would otherwise find,
// read and compile a thousand files. Each module keeps its lines and its name. ADR 0064 gives the reasons.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAMS } from './lib/load-programs.cjs';
import { DIST, VersionedCode } from './lib/versioned-code.mjs';

const JOINED = new VersionedCode('programs', { loader: 'load-programs.cjs' });
const writeCacheOf = (loader) => `
  const { provide } = require(${JSON.stringify(loader)});
  require('node:module').createRequire(${JSON.stringify(loader)})('reflect-metadata');
  const { files, writeCache } = provide();
  for (const file of files) require(file);
  writeCache();
  process.exit();`;

/** Writes the joined modules to dist/programs, unless they are current. */
export async function joinPrograms() {
  try {
    const version = await currentVersion();
    if (await JOINED.isCurrent(version)) return;
    const folder = await JOINED.write({ name: 'programs.js', code: join(modulesOfPrograms()) }, writeCacheOf);
    if ((await currentVersion()) === version) await JOINED.publish(version, folder);
  } catch (error) {
    // Another build has removed a file, or the programs were never built. They load their modules one by one.
    if (error.code !== 'ENOENT') throw error;
  }
}

const currentVersion = () =>
  JOINED.versionOf({ files: ['tools/join-programs.mjs'], facts: timesOfModules() });

/** Has programs load their modules one by one, until they are joined again. */
export const separatePrograms = () => JOINED.withdraw();

function timesOfModules() {
  const names = ['apps', 'libs'].flatMap((folder) =>
    fs
      .readdirSync(path.join(DIST, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(folder, name)),
  );
  const files = names.filter((name) => name.endsWith('.js')).sort();
  const timeOf = (file) => Math.round(fs.statSync(path.join(DIST, file), { throwIfNoEntry: false })?.mtimeMs);
  return files.map((file) => `${file} ${timeOf(file)}`).join();
}

/**
 * @returns {Map<string, { code: string, requires: Record<string, string> }>} the own modules of the programs by their files
 *   in dist/, without the first module of each, which Node loads itself; `requires` are files by the names in the code
 */
function modulesOfPrograms() {
  const modules = new Map();
  const add = (file) => {
    if (modules.has(file)) return;
    const code = fs.readFileSync(path.join(DIST, file), 'utf8');
    if (!canBeEscaped(code)) return;
    const requires = requiresOf(file, code);
    modules.set(file, { code, requires });
    Object.values(requires).forEach(add);
  };
  PROGRAMS.forEach(add);
  for (const program of PROGRAMS) modules.delete(program);
  return modules;
}

/** In a raw template and behind a backslash, an escape would have another meaning. */
const canBeEscaped = (code) =>
  !/\\[^\0-\x7f]/.test(code) && (!code.includes('.raw`') || !/[^\0-\x7f]/.test(code));

function requiresOf(file, code) {
  const { resolve } = createRequire(path.join(DIST, file));
  const requests = [...code.matchAll(/\brequire\("(\.[^"]+)"\)/g)].map(([, request]) => request);
  const files = requests.map((request) => [request, path.relative(DIST, resolve(request))]);
  // Node loads JSON itself.
  return Object.fromEntries(files.filter(([, required]) => required.endsWith('.js')));
}

/** @returns {string} an object of the modules by their files; `line` is that of the joined file on which a module begins */
function join(modules) {
  const lines = ['({'];
  for (const [file, { code, requires }] of modules) {
    lines.push(
      `${JSON.stringify(file)}: { line: ${lines.length + 3}, requires: ${JSON.stringify(requires)},`,
    );
    lines.push('run(exports, require, module, __filename, __dirname) {');
    lines.push(...code.replace(SOURCE_MAP, '').split('\n'), '} },');
  }
  return [...lines, '})'].join('\n');
}

const SOURCE_MAP = /\n\/\/# sourceMappingURL=.*\n$/;

if (process.argv[1] === fileURLToPath(import.meta.url)) await joinPrograms();
