// Loads a package from the bundle beside this file.
const fs = require('node:fs');
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

// Each program begins with a package, before its own code.
if (fs.existsSync(PROGRAMS)) require(PROGRAMS).serve(require.main?.filename);
