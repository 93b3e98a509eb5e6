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
  for (const [name, { requires, run }] of Object.entries(joined)) {
    const file = path.join(DIST, name);
    const requireOwn = requireOf(file, requires, requirePackage);
    cacheModule(file, (module) => run(module.exports, requireOwn, module, file, path.dirname(file)));
  }
  mapStacks(joined);
  return { files: Object.keys(joined).map((name) => path.join(DIST, name)), ...script };
};

/** All own code finds the same packages. Node would look for each anew from every folder. */
function packagesOf(requireFromDist) {
  const found = new Map();
  const requirePackage = (name) => {
    if (!found.has(name)) found.set(name, requireFromDist(name));
    return found.get(name);
  };
  return Object.assign(requirePackage, { resolve: requireFromDist.resolve });
}

/** The `require` of a module. It knows the files of the modules that its code names, and has Node load all others. */
function requireOf(file, requires, requirePackage) {
  const elsewhere = (request) => (request.startsWith('.') ? Module.createRequire(file) : requirePackage);
  const requireOwn = (request) => {
    const own = Object.hasOwn(requires, request)
      ? require.cache[path.join(DIST, requires[request])]
      : undefined;
    return own ? own.exports : elsewhere(request)(request);
  };
  return Object.assign(requireOwn, { resolve: (request) => elsewhere(request).resolve(request) });
}

/** Has a module run when its exports are first read, and again if it has thrown an error, as Node does. */
function cacheModule(file, run) {
  if (require.cache[file]) return;
  const module = Object.assign(new Module(file), { filename: file, loaded: true });
  const setExports = (descriptor) =>
    Object.defineProperty(module, 'exports', { ...descriptor, configurable: true });
  const runFirst = {
    get() {
      setExports({ value: {}, writable: true, enumerable: true });
      try {
        run(module);
      } catch (error) {
        setExports(runFirst);
        throw error;
      }
      return module.exports;
    },
  };
  setExports(runFirst);
  require.cache[file] = module;
}

/**
 * Has the stacks of errors name sources in TypeScript, as Node does with `--enable-source-maps`. It then uses its own maps
 * no longer, so this is for modules that Node has loaded, too.
 */
function mapStacks(joined) {
  const modules = Object.entries(joined).map(([name, { line }]) => ({ name, line }));
  const maps = new Map();
  const mapOf = (file) => {
    if (!maps.has(file)) maps.set(file, readMap(`${file}.map`));
    return maps.get(file);
  };
  const compiledPlace = (file, line) => {
    if (file !== FILE) return { file, line };
    const module = modules.findLast(({ line: first }) => first <= line);
    return { file: path.join(DIST, module.name), line: line - module.line + 1 };
  };
  const placeOf = ({ file, line }, column) => {
    const entry = mapOf(file)?.findEntry(line - 1, column - 1);
    if (entry?.originalSource === undefined) return `${file}:${line}:${column}`;
    return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  };
  const describe = (site) => {
    const file = site.getFileName();
    if (!isOwn(file)) return String(site);
    const [line, column] = [site.getLineNumber(), site.getColumnNumber()];
    return String(site).replace(`${file}:${line}:${column}`, () =>
      placeOf(compiledPlace(file, line), column),
    );
  };
  Error.prepareStackTrace = (error, sites) =>
    [headOf(error), ...sites.map((site) => `    at ${describe(site)}`)].join('\n');
}

const OWN = ['apps', 'libs'].map((folder) => path.join(DIST, folder, path.sep));
const isOwn = (file) => file === FILE || OWN.some((folder) => file?.startsWith(folder));

/** @returns {Module.SourceMap | undefined} */
function readMap(file) {
  try {
    return new Module.SourceMap(JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch {
    // A stack that names compiled code is better than none.
    return undefined;
  }
}

/** The first line of a stack. Errors of Node have a code, which belongs to it. */
function headOf(error) {
  const head = Error.prototype.toString.call(error);
  const code = Object.getOwnPropertyDescriptor(error, 'code')?.value;
  if (typeof code !== 'string' || !code.startsWith('ERR_') || head.includes(`[${code}]`)) return head;
  return head.replace(error.name, (name) => `${name} [${code}]`);
}
