// Loads a package from the bundle beside this file, with the cache of its compiled code. V8 refuses a cache of another
// version or of other options, so each has its own. `vm.Script` is used, because `require` of Node 20 takes no cache.
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');

const FILE = path.join(__dirname, 'bundle.js');
const CACHE = path.join(__dirname, `${v8.cachedDataVersionTag().toString(16)}.cache`);

const script = new vm.Script(Module.wrap(fs.readFileSync(FILE, 'latin1')), {
  filename: FILE,
  cachedData: fs.existsSync(CACHE) ? fs.readFileSync(CACHE) : undefined,
  importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
const bundle = { exports: {} };
script.runInThisContext()(bundle.exports, Module.createRequire(FILE), bundle, FILE, __dirname);

exports.usesCache = script.cachedDataRejected === false;

exports.load = (name) => bundle.exports[name]();

/** Writes the cache, with all functions that were compiled until now. */
exports.writeCache = () => {
  const draft = `${CACHE}.${process.pid}.tmp`;
  fs.writeFileSync(draft, script.createCachedData());
  fs.renameSync(draft, CACHE);
};
