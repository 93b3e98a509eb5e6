// Provides the modules of programs from the joined file beside this one, see join-programs.mjs.
const fs = require('node:fs');
const inspector = require('node:inspector');
const Module = require('node:module');
const path = require('node:path');
const { runCached } = require('./cached-script.cjs');

const DIST = path.resolve(__dirname, '../..');
const FILE = path.join(__dirname, 'programs.js');

/** Relative to dist/. The first module of each is loaded by Node itself. */
exports.PROGRAMS = ['apps/admin/src/main.js', 'apps/api/src/main.js', 'apps/worker/src/main.js'];

/** Provides all modules if the process runs a program. A debugger needs the modules in their own files. */
exports.serve = (main) => {
  const isProgram =
    main !== undefined && exports.PROGRAMS.some((program) => path.join(DIST, program) === main);
  if (isProgram && inspector.url() === undefined) exports.provide();
};

/**
 * Puts the modules into the cache of `require`, where Node finds those that the program asks for. Each runs when it is first
 * asked for.
 *
 * @returns {{ files: string[], usesCache: boolean, writeCache: () => void }}
 */
exports.provide = () => {
  const { value: joined, ...script } = runCached(FILE);
  const requirePackage = packagesOf(Module.createRequire(path.join(DIST, 'index.js')));
  const files = Object.keys(joined).map((name) => path.join(DIST, name));
  for (const [at, { requires, run }] of Object.values(joined).entries()) {
    const requireOwn = (request) => {
      const own = Object.hasOwn(requires, request)
        ? require.cache[path.join(DIST, requires[request])]
        : undefined;
      if (own) return own.exports;
      return request.startsWith('.') ? Module.createRequire(files[at])(request) : requirePackage(request);
    };
    requireOwn.resolve = requirePackage.resolve;
    cacheModule(files[at], (module) =>
      run(module.exports, requireOwn, module, files[at], path.dirname(files[at])),
    );
  }
  mapStacks(joined);
  return { files, ...script };
};

/** All own code finds the same packages. Node would look for each anew from every folder. */
function packagesOf(requireFromDist) {
  const found = new Map();
  const requirePackage = (name) => {
    if (!found.has(name)) found.set(name, requireFromDist(name));
    return found.get(name);
  };
  requirePackage.resolve = requireFromDist.resolve;
  return requirePackage;
}

function cacheModule(file, run) {
  const module = Object.assign(new Module(file), { filename: file, loaded: true });
  const setExports = (descriptor) =>
    Object.defineProperty(module, 'exports', { ...descriptor, configurable: true });
  setExports({
    get() {
      setExports({ value: {}, writable: true, enumerable: true });
      run(module);
      return module.exports;
    },
  });
  require.cache[file] = module;
}

/** Has the stacks of errors name sources in TypeScript, as Node does with `--enable-source-maps` for modules that it loads. */
function mapStacks(joined) {
  const modules = Object.entries(joined).map(([name, { line }]) => ({ name, line }));
  const maps = new Map();
  const mapOf = (name) => {
    if (!maps.has(name)) maps.set(name, readMap(path.join(DIST, `${name}.map`)));
    return maps.get(name);
  };
  const placeOf = (line, column) => {
    const { name, line: first } = modules.findLast((module) => module.line <= line);
    const entry = mapOf(name)?.findEntry(line - first, column - 1);
    if (entry?.originalSource === undefined) return `${path.join(DIST, name)}:${line - first + 1}:${column}`;
    return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  };
  const describe = (site) => {
    if (site.getFileName() !== FILE) return String(site);
    const [line, column] = [site.getLineNumber(), site.getColumnNumber()];
    return String(site).replace(`${FILE}:${line}:${column}`, () => placeOf(line, column));
  };
  Error.prepareStackTrace = (error, sites) =>
    [headOf(error), ...sites.map((site) => `    at ${describe(site)}`)].join('\n');
}

/** @returns {Module.SourceMap | undefined} */
function readMap(file) {
  try {
    return new Module.SourceMap(JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch {
    // A stack that names compiled code is better than none.
    return undefined;
  }
}

/** As Node does: its own errors name their code. */
function headOf(error) {
  const head = Error.prototype.toString.call(error);
  const { name, code } = error;
  return typeof code === 'string' && code.startsWith('ERR_') ? head.replace(name, `${name} [${code}]`) : head;
}
