import { createProjectGraphAsync, readCachedProjectGraph } from '@nx/devkit';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import { packageWalls } from './eslint.packages.mjs';

// Import rules. apps/api/test/architecture.spec.ts tests every wall: change both together.

export const TYPESCRIPT = ['apps/**/*.ts', 'apps/**/*.tsx', 'libs/**/*.ts', 'tools/**/*.ts'];
export const SPECS = ['**/*.spec.ts'];
/** Code that only tests run: specs, the builders beside the code, what end-to-end tests share, the harness. */
export const FOR_TESTS = [...SPECS, '**/testing/**/*.ts', 'apps/*/test/**/*.ts', 'libs/test-harness/**/*.ts'];

/** The service reads its environment in libs/config, the command line of callers in one file. */
const ENVIRONMENT_READERS = ['libs/config/**', 'apps/cli/src/environment.ts', ...FOR_TESTS];

// On a fresh clone, before any command of Nx, the rule of the boundaries has no graph and would let everything pass.
try {
  readCachedProjectGraph();
} catch {
  await createProjectGraphAsync();
}

// ---- Between projects -----------------------------------------------------------------------------------------

/** Whom each context may ask, beside the platform and the kernel. Read downwards: nobody asks a context below. */
const CONTEXTS = {
  identity: [],
  definitions: [],
  files: ['identity'],
  parties: ['identity', 'files'],
  catalog: ['identity', 'parties'],
  inventory: ['identity', 'parties', 'catalog'],
  documents: ['identity', 'parties', 'catalog'],
  expenses: ['identity', 'files', 'parties', 'documents'],
  payments: ['identity', 'parties', 'documents'],
  renditions: ['identity', 'files', 'parties', 'documents'],
  mail: ['identity', 'parties', 'documents', 'renditions'],
  sharing: ['identity', 'parties', 'documents', 'payments', 'renditions'],
  webhooks: [],
  'event-catalogue': ['documents', 'expenses', 'inventory', 'mail', 'payments', 'sharing', 'webhooks'],
};
const HTTP = ['@nestjs/swagger', '@nestjs/platform-*', 'fastify', '@fastify/*', 'express', 'find-my-way'];
const TECHNOLOGY = ['bullmq', '@nestjs/bullmq', 'ioredis', 'undici'];

/** `alsoAllowed` are tags that every project may depend on: none for code that runs; for tests, what serves them. */
function boundaries(alsoAllowed) {
  const from = (sourceTag, ...tags) => ({ sourceTag, onlyDependOnLibsWithTags: [...tags, ...alsoAllowed] });
  return [
    'error',
    {
      // The harness is built on the platform and migrates by the schema; the specs of both use the harness.
      ignoredCircularDependencies: [
        ['tag:type:platform', 'test-harness'],
        ['schema', 'test-harness'],
      ],
      depConstraints: [
        from('type:app', 'type:schema', 'type:context', 'type:platform', 'type:kernel'),
        // The migrations of all contexts: what composes them, for the apps and the harness.
        from('type:schema', 'type:context', 'type:platform', 'type:kernel'),
        {
          ...from('type:context', 'type:context', 'type:platform', 'type:kernel'),
          bannedExternalImports: [...HTTP, ...TECHNOLOGY],
        },
        from('type:platform', 'type:platform', 'type:kernel'),
        {
          ...from('type:kernel', 'type:kernel'),
          bannedExternalImports: [...HTTP, ...TECHNOLOGY, '@nestjs/*', 'typeorm', 'pg'],
        },
        from('type:testing', 'type:testing', 'type:schema', 'type:platform', 'type:kernel'),
        // Published by themselves; of ours, tests alone play the callers and receivers that they are for.
        from('type:package', 'scope:webhook-verifier'),
        // A program of callers, published as the packages are.
        from('type:client', 'type:package'),
        ...Object.entries(CONTEXTS).map(([name, asked]) =>
          from(
            `scope:${name}`,
            'type:platform',
            'type:kernel',
            ...[name, ...asked].map((scope) => `scope:${scope}`),
          ),
        ),
      ],
    },
  ];
}

const betweenProjects = [
  { files: TYPESCRIPT, plugins: { '@nx': nx }, rules: { '@nx/enforce-module-boundaries': boundaries([]) } },
  {
    files: FOR_TESTS,
    rules: { '@nx/enforce-module-boundaries': boundaries(['type:testing', 'type:package']) },
  },
];

// ---- Inside a project -----------------------------------------------------------------------------------------

/**
 * Imports that the files named may not make. Each wall is a rule of its own, though the rule behind all of them is
 * `no-restricted-imports`: of one rule only the last options that match a file count, and files stand behind several
 * walls at once.
 */
const WALLS = {
  deep: {
    files: TYPESCRIPT,
    imports: [
      {
        regex: '^@counterfoil/[^/]+/',
        message: 'Import a lib by its name: what its index.ts leaves out is its own.',
      },
    ],
  },
  domain: {
    files: ['libs/*/src/domain/**/*.ts'],
    except: FOR_TESTS,
    imports: [
      {
        // Hashes and signatures are calculations; everything else that Node offers is input and output.
        regex: '^(?!\\.{1,2}/|@counterfoil/kernel$|node:crypto$)',
        message: 'The domain imports the kernel and itself.',
      },
      { regex: '^\\..*/(application|adapters)(/|$)', message: 'The domain does not know who uses it.' },
      { regex: '^\\..*(/index|\\.module)$', message: 'The domain does not know who uses it.' },
    ],
  },
  ...packageWalls(FOR_TESTS),
  application: {
    files: ['libs/*/src/application/**/*.ts'],
    except: FOR_TESTS,
    imports: [
      { regex: '^\\..*/adapters(/|$)', message: 'Use cases speak to ports; the module binds the adapters.' },
      { regex: '^\\..*(/index|\\.module)$', message: 'Use cases do not know what wires them.' },
      { regex: '^@nestjs/(?!common$)', message: 'From NestJS a use case takes Injectable alone.' },
      {
        regex: '^@nestjs/common$',
        allowImportNames: ['Injectable'],
        message: 'From NestJS a use case takes Injectable alone.',
      },
    ],
  },
  adapters: {
    files: ['libs/*/src/adapters/**/*.ts'],
    except: FOR_TESTS,
    imports: [
      {
        regex: '^\\..*/application/(?!ports/)',
        message: 'Adapters implement ports; use cases are called from outside.',
      },
      { regex: '^\\..*(/index|\\.module)$', message: 'Adapters do not know what wires them.' },
    ],
  },
  orm: {
    files: TYPESCRIPT,
    except: ['**/adapters/**', 'libs/database/**', 'libs/*/src/*.module.ts', 'libs/test-harness/**'],
    imports: [
      {
        regex: '^(typeorm|@nestjs/typeorm)(/|$)',
        message: 'TypeORM stays in adapters, modules and libs/database.',
      },
    ],
  },
  driver: {
    files: TYPESCRIPT,
    // BullMQ keeps its jobs in PostgreSQL over a pool of its own.
    except: [
      '**/adapters/**',
      'libs/database/**',
      'libs/*/src/*.module.ts',
      'libs/queue/**',
      'libs/rate-limits/**',
      'libs/test-harness/**',
    ],
    imports: [
      {
        regex: '^pg(/|$)',
        message: 'The PostgreSQL driver stays in adapters, libs/database, libs/queue and libs/rate-limits.',
      },
    ],
  },
  queue: {
    files: TYPESCRIPT,
    except: ['libs/queue/**', 'libs/test-harness/**'],
    imports: [{ regex: '^(bullmq|@nestjs/bullmq)(/|$)', message: 'Jobs go through @counterfoil/queue.' }],
  },
  redis: {
    files: TYPESCRIPT,
    except: ['libs/queue/**', 'libs/rate-limits/**', 'libs/test-harness/**'],
    imports: [
      {
        regex: '^ioredis(/|$)',
        message: 'Redis holds jobs and counters: it stays in libs/queue and libs/rate-limits.',
      },
    ],
  },
  'rate-limits': {
    files: TYPESCRIPT,
    except: ['libs/rate-limits/**'],
    imports: [{ regex: '^rate-limiter-flexible(/|$)', message: 'Use @counterfoil/rate-limits.' }],
  },
  'leased-work': {
    files: TYPESCRIPT,
    except: ['**/adapters/**', 'libs/leased-work/**'],
    imports: [
      {
        regex: '^@counterfoil/leased-work$',
        message: 'Leases are declared in SQL, which stays in adapters.',
      },
    ],
  },
  lists: {
    files: TYPESCRIPT,
    except: ['**/adapters/**', 'libs/lists/**', ...FOR_TESTS],
    imports: [{ regex: '^@counterfoil/lists$', message: 'Lists are declared in SQL, in adapters.' }],
  },
  // The endpoint is configured by the operator, as the database is; what callers choose goes through the guarded client.
  storage: {
    files: TYPESCRIPT,
    except: ['libs/files/src/adapters/**'],
    imports: [{ regex: '^@aws-sdk/', message: 'Only the file store of @counterfoil/files speaks to S3.' }],
  },
  tracing: {
    files: TYPESCRIPT,
    except: ['libs/tracing/**'],
    imports: [{ regex: '^@opentelemetry/', message: 'Spans are made by @counterfoil/tracing.' }],
  },
  'outbound-http': {
    files: TYPESCRIPT,
    except: ['libs/outbound-http/**'],
    imports: [
      {
        regex: '^undici(/|$)',
        message: 'What leaves the house goes through @counterfoil/outbound-http, which guards it.',
      },
    ],
  },
  testing: {
    files: TYPESCRIPT,
    except: FOR_TESTS,
    imports: [
      { regex: '^\\..*/testing(/|$)', message: 'testing/ holds what only tests may use.' },
      {
        regex: '^(@counterfoil/test-harness|@nestjs/testing|@jest/globals|fast-check|supertest)$',
        message: 'Only tests may use this.',
      },
    ],
  },
  environment: {
    files: TYPESCRIPT,
    except: ENVIRONMENT_READERS,
    imports: [
      {
        regex: '^(node:)?process$',
        message: 'The environment is read in libs/config; use the global for the rest.',
      },
    ],
  },
};

const insideProjects = [
  {
    files: TYPESCRIPT,
    plugins: {
      wall: {
        rules: Object.fromEntries(
          Object.keys(WALLS).map((name) => [name, tseslint.plugin.rules['no-restricted-imports']]),
        ),
      },
    },
  },
  ...Object.entries(WALLS).map(([name, { files, except = [], imports }]) => ({
    files,
    ignores: except,
    rules: { [`wall/${name}`]: ['error', { patterns: imports }] },
  })),
  {
    files: TYPESCRIPT,
    ignores: ENVIRONMENT_READERS,
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'The environment is read in libs/config.' },
      ],
    },
  },
  {
    files: TYPESCRIPT,
    // The SDK and the command line run at their callers; nothing in the service imports them.
    ignores: ['libs/outbound-http/**', 'libs/sdk/**', 'apps/cli/**', ...FOR_TESTS],
    rules: {
      'no-restricted-globals': [
        'error',
        {
          name: 'fetch',
          message: 'What leaves the house goes through @counterfoil/outbound-http, which guards it.',
        },
      ],
    },
  },
];

export const walls = [...betweenProjects, ...insideProjects];
