// Loads a package from the bundle beside this file.
const Module = require('node:module');
const path = require('node:path');
const { runCached } = require('./cached-script.cjs');

const FILE = path.join(__dirname, 'bundle.js');
const PROGRAMS = path.join(__dirname, '../../programs/index.js');

const { value: run, usesCache, writeCache } = runCached(FILE);
const bundle = { exports: {} };
run(bundle.exports, Module.createRequire(FILE), bundle, FILE, __dirname);

exports.usesCache = usesCache;
exports.writeCache = writeCache;
exports.load = (name) => bundle.exports[name]();

// Each program begins with a package, before its own code. A build may remove the index at any time.
try {
  require(PROGRAMS).serve(require.main?.filename);
} catch (error) {
  if (error.code !== 'MODULE_NOT_FOUND') throw error;
}
