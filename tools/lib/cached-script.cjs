// Runs a script with the cache of its compiled code, which lies beside it. V8 refuses a cache of another version or of other
// options, so each has its own. `vm.Script` is used, because `require` of Node 20 takes no cache.
const fs = require('node:fs');
const path = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');

/**
 * @param {string} file an expression in ASCII, which V8 keeps in half the memory
 * @returns {{ value: unknown, usesCache: boolean, writeCache: () => void }} `value` is that of the expression; `writeCache`
 *   writes the cache, with all functions that were compiled until now
 */
exports.runCached = (file) => {
  const cache = path.join(path.dirname(file), `${v8.cachedDataVersionTag().toString(16)}.cache`);
  const script = new vm.Script(fs.readFileSync(file, 'latin1'), {
    filename: file,
    cachedData: fs.existsSync(cache) ? fs.readFileSync(cache) : undefined,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const writeCache = () => {
    const draft = `${cache}.${process.pid}.tmp`;
    fs.writeFileSync(draft, script.createCachedData());
    fs.renameSync(draft, cache);
  };
  return { value: script.runInThisContext(), usesCache: script.cachedDataRejected === false, writeCache };
};
