const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/**
 * Emits the decorator metadata that NestJS and class-validator read at run time.
 *
 * @param lazy which imports are loaded when they are first used
 */
const swc = (lazy) => [
  '@swc/jest',
  {
    swcrc: false,
    configFile: false,
    sourceMaps: 'inline',
    module: { type: 'commonjs', lazy },
    jsc: {
      target: 'es2022',
      keepClassNames: true,
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    },
  },
];

/** Packages and other libs: most files use few of those that they import. */
const PACKAGES = true;

/** The modules of all libs' `index.ts`: an importer uses few of them. SWC has no wildcard for local modules. */
const exportedModules = () =>
  fs.readdirSync(path.join(__dirname, 'libs')).flatMap((lib) => {
    const barrel = path.join(__dirname, 'libs', lib, 'src/index.ts');
    const text = fs.existsSync(barrel) ? fs.readFileSync(barrel, 'utf8') : '';
    return [...text.matchAll(/ from '([^']+)'/g)].map(([, module]) => module);
  });

/** Packages that are ES modules alone, which Jest cannot load as they are. What asks for none of them pays nothing. */
const ESM_PACKAGES = ['file-type', 'strtok3', 'token-types', 'uint8array-extras', '@tokenizer', '@borewit'];

/** One worker more than there are cores, at most four, so that a core has work while tests wait. */
const WORKERS = Math.min(3, os.availableParallelism()) + 1;

/** Each worker of Jest needs a Redis database of its own; without Redis, none. */
const workersOn = (redisUrls) => (redisUrls ? Math.min(WORKERS, redisUrls.split(',').length) : WORKERS);

const onPostgres = {
  globalSetup: path.join(__dirname, 'tools/testing/postgres-setup.cjs'),
  globalTeardown: path.join(__dirname, 'tools/testing/postgres-teardown.cjs'),
};

const onServices = {
  globalSetup: path.join(__dirname, 'tools/testing/services-setup.cjs'),
  globalTeardown: path.join(__dirname, 'tools/testing/services-teardown.cjs'),
};

/**
 * The kinds of test, told apart by file name and chosen by TEST_KIND: unit (pure), integration (real PostgreSQL),
 * e2e (the compiled programs), timed (integration and e2e tests that measure time, with nothing beside them); and the long
 * ones, which `npm test` leaves out: trial (many faults) and bench (figures).
 */
const kinds = {
  unit: {
    testMatch: ['**/*.spec.ts'],
    testPathIgnorePatterns: ['\\.integration\\.spec\\.ts$', '\\.e2e\\.spec\\.ts$'],
    testTimeout: 10_000,
    maxWorkers: WORKERS,
  },
  integration: {
    testMatch: ['**/*.integration.spec.ts'],
    testPathIgnorePatterns: ['\\.timed\\.integration\\.spec\\.ts$'],
    ...onPostgres,
    testTimeout: 30_000,
    maxWorkers: workersOn(process.env.TEST_REDIS_URL),
  },
  e2e: {
    testMatch: ['**/*.e2e.spec.ts'],
    testPathIgnorePatterns: ['\\.timed\\.e2e\\.spec\\.ts$'],
    ...onServices,
    // Three files and the processes that they start share the cores.
    testTimeout: 120_000,
    maxWorkers: workersOn(process.env.TEST_REDIS_URL),
  },
  timed: {
    testMatch: ['**/*.timed.integration.spec.ts', '**/*.timed.e2e.spec.ts'],
    ...onServices,
    testTimeout: 60_000,
    maxWorkers: 1,
  },
  trial: {
    testMatch: ['**/*.trial.ts'],
    ...onServices,
    testTimeout: 1_800_000,
    maxWorkers: 1,
  },
  bench: {
    testMatch: ['**/*.bench.ts'],
    ...onServices,
    testTimeout: 900_000,
    maxWorkers: 1,
  },
};

const kind = process.env.TEST_KIND ?? 'unit';
if (!(kind in kinds)) throw new Error(`TEST_KIND is ${kind}; it must be one of ${Object.keys(kinds)}`);

const common = {
  ...kinds[kind],
  testEnvironment: 'node',
  transform: {
    '/libs/[a-z-]+/src/index\\.ts$': swc([...new Set(exportedModules())].sort()),
    '^.+\\.ts$': swc(PACKAGES),
    [`/node_modules/(${ESM_PACKAGES.join('|')})/.+\\.js$`]: swc(PACKAGES),
  },
  transformIgnorePatterns: [`/node_modules/(?!(${ESM_PACKAGES.join('|')})/)`],
  moduleNameMapper: { '^@counterfoil/([a-z-]+)$': path.join(__dirname, 'libs/$1/src/index.ts') },
  setupFiles: ['reflect-metadata'],
  passWithNoTests: true,
  coverageProvider: 'v8',
  reporters: [
    'default',
    path.join(__dirname, 'tools/testing/tally-reporter.cjs'),
    path.join(__dirname, 'tools/testing/leftovers-reporter.cjs'),
  ],
};

/** The most workers that run at a time. */
exports.WORKERS_MAX = WORKERS;

/** The kinds that `npm test` runs, in this order. */
exports.WHOLE_RUN = ['unit', 'integration', 'e2e', 'timed'];

/** The Jest configuration of one project: `module.exports = require('../../jest.preset.js').project(__dirname)`. */
exports.project = (rootDir) => ({
  ...common,
  rootDir,
  displayName: `${path.basename(rootDir)}:${kind}`,
});

/**
 * The Jest configuration of all projects at once. They share the loaded packages and the workers, which each run of one
 * project would start anew, and no core waits for the last file of a project.
 */
exports.workspace = () => ({
  ...common,
  rootDir: __dirname,
  roots: ['apps', 'libs', 'tools/reader-training'].map((folder) => path.join(__dirname, folder)),
  displayName: kind,
});
