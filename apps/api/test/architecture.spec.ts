import { MAY_ASK } from './context-order';
import { accepted, importing, lintPlanted, plant, type Plant, refused, wall } from './planted-sources';
import { projects } from './projects';

/**
 * Tests the lint rules of the architecture: source text that violates a rule is linted as if it were in the
 * tree and must be refused by that rule. A valid variant in the same place must pass.
 */

lintPlanted();

const BOUNDARIES = '@nx/enforce-module-boundaries';

describe('between contexts', () => {
  it('every context has a list of allowed dependencies', () => {
    const contexts = projects.filter(({ tags }) => tags.includes('type:context'));
    expect(contexts.map(({ name }) => name).sort()).toEqual(Object.keys(MAY_ASK).sort());
  });

  for (const [source, asked] of Object.entries(MAY_ASK)) {
    for (const target of Object.keys(MAY_ASK).filter((name) => name !== source)) {
      const attempt = importing(`libs/${source}/src/application/planted.ts`, `@counterfoil/${target}`);
      if (asked.includes(target)) accepted(`@counterfoil/${target}`, attempt);
      else refused(`@counterfoil/${target}`, BOUNDARIES, attempt);
    }
  }
});

describe('between kinds of project', () => {
  it.each(projects)('$name has one type and its own scope', ({ name, root, tags }) => {
    const app = ['cli', 'console'].includes(name) ? 'type:client' : 'type:app';
    const type = root.startsWith('apps/')
      ? app
      : expect.stringMatching(/^type:(context|schema|platform|kernel|testing|package)$/);
    expect(tags).toEqual([type, `scope:${name}`]);
  });

  wall(BOUNDARIES, ['@counterfoil/documents'], {
    bad: [
      'libs/pagination/src/planted.ts',
      'libs/secrets/src/planted.ts',
      'libs/test-harness/src/planted.ts',
    ],
    good: ['apps/api/src/planted.ts', 'apps/worker/src/planted.ts', 'apps/admin/src/planted.ts'],
  });
  wall(BOUNDARIES, ['@counterfoil/config'], {
    bad: ['libs/pagination/src/planted.ts', 'libs/kernel/src/planted.ts', 'libs/secrets/src/planted.ts'],
    good: [
      'libs/outbound-http/src/planted.ts',
      'libs/parties/src/planted.module.ts',
      'apps/api/src/planted.ts',
    ],
  });
  wall(BOUNDARIES, ['@counterfoil/kernel'], {
    bad: ['libs/kernel/src/planted.ts'],
    good: [
      'libs/pagination/src/planted.ts',
      'libs/outbox/src/planted.ts',
      'libs/identity/src/domain/planted.ts',
    ],
  });
  wall(BOUNDARIES, ['@counterfoil/test-harness'], {
    bad: [
      'libs/documents/src/application/planted.ts',
      'libs/queue/src/planted.ts',
      'apps/api/src/planted.ts',
    ],
    good: [
      'libs/documents/src/application/planted.integration.spec.ts',
      'libs/database/src/planted.integration.spec.ts',
      'libs/documents/src/testing/planted.ts',
      'apps/api/test/planted.e2e.spec.ts',
      'apps/api/test/planted.ts',
    ],
  });

  wall(BOUNDARIES, ['@counterfoil/schema'], {
    bad: [
      'libs/documents/src/adapters/postgres/planted.ts',
      'libs/documents/src/application/planted.integration.spec.ts',
      'libs/database/src/planted.ts',
    ],
    good: ['apps/admin/src/planted.ts', 'libs/test-harness/src/planted.ts'],
  });
  wall(BOUNDARIES, ['@counterfoil/documents'], { bad: [], good: ['libs/schema/src/planted.ts'] });

  wall(BOUNDARIES, ['@counterfoil/webhook-verifier'], {
    bad: ['libs/webhooks/src/application/planted.ts', 'apps/worker/src/planted.ts'],
    good: ['libs/webhooks/src/domain/planted.spec.ts', 'apps/worker/test/planted.e2e.spec.ts'],
  });
  wall(BOUNDARIES, ['@counterfoil/kernel', '@counterfoil/webhooks'], {
    bad: [
      'libs/webhook-verifier/src/planted.ts',
      'libs/webhook-verifier/src/planted.spec.ts',
      'libs/sdk/src/planted.ts',
      'libs/sdk/src/planted.spec.ts',
    ],
    good: [],
  });
  wall(BOUNDARIES, ['@counterfoil/sdk'], {
    bad: [
      'apps/worker/src/planted.ts',
      'libs/webhooks/src/planted.ts',
      'libs/webhook-verifier/src/planted.ts',
    ],
    good: ['apps/worker/test/planted.e2e.spec.ts', 'apps/cli/src/planted.ts'],
  });
  wall(BOUNDARIES, ['@counterfoil/kernel', '@counterfoil/config', '@counterfoil/documents'], {
    bad: ['apps/cli/src/planted.ts'],
    good: [],
  });
  accepted(
    '@counterfoil/test-harness',
    importing('libs/webhook-verifier/src/planted.spec.ts', '@counterfoil/test-harness'),
  );

  refused('an app', BOUNDARIES, importing('apps/api/src/planted.ts', '../../worker/src/main'));
  refused(
    "another lib's inside by path",
    BOUNDARIES,
    importing('libs/parties/src/application/planted.ts', '../../../identity/src/domain/user'),
  );
  refused(
    'its own index by name',
    BOUNDARIES,
    importing('libs/parties/src/planted.ts', '@counterfoil/parties'),
  );

  wall(BOUNDARIES, ['fastify', '@nestjs/swagger', '@nestjs/platform-fastify'], {
    bad: ['libs/documents/src/adapters/planted.ts', 'libs/pagination/src/planted.ts'],
    good: ['apps/api/src/http/planted.ts'],
  });
  wall(BOUNDARIES, ['bullmq', 'ioredis'], {
    bad: ['libs/webhooks/src/adapters/planted.ts', 'libs/kernel/src/planted.ts'],
    good: [],
  });
  wall(BOUNDARIES, ['@nestjs/common'], {
    bad: ['libs/kernel/src/planted.ts'],
    good: ['libs/outbox/src/planted.ts'],
  });
});

describe('inside a lib', () => {
  const inDomain = 'libs/parties/src/domain/planted.ts';
  const inApplication = 'libs/parties/src/application/planted.ts';
  const inAdapters = 'libs/parties/src/adapters/postgres/planted.ts';
  const inModule = 'libs/parties/src/parties.module.ts';

  describe('the domain imports only the kernel and itself', () => {
    wall(
      'wall/domain',
      ['@nestjs/common', 'class-validator', 'typeorm', 'pg', 'node:fs', '@counterfoil/database'],
      {
        bad: [inDomain],
        good: [],
      },
    );
    wall('wall/domain', ['@counterfoil/pagination', 'big.js', '@nestjs/common'], {
      bad: [inDomain, 'libs/documents/src/domain/deeper/planted.ts'],
      good: [inAdapters],
    });
    wall(
      'wall/domain',
      ['../application/create-vendor', '../application/ports/vendor.reader', '../adapters/planted'],
      {
        bad: [inDomain],
        good: [inModule],
      },
    );
    wall('wall/domain', ['../parties.module', '../index'], { bad: [inDomain], good: [] });
    for (const good of ['@counterfoil/kernel', './vendor', '../vendor', 'node:crypto'])
      accepted(good, importing(inDomain, good));
    accepted('a property test', importing('libs/parties/src/domain/planted.spec.ts', 'fast-check'));
  });

  describe('a published package has no dependencies', () => {
    const inPackage = 'libs/webhook-verifier/src/planted.ts';
    wall('wall/package', ['@counterfoil/kernel', 'fastify', 'node:fs', 'node:buffer', '../planted'], {
      bad: [inPackage],
      good: [],
    });
    for (const good of ['node:crypto', './webhook-event']) accepted(good, importing(inPackage, good));
    accepted('a property test', importing('libs/webhook-verifier/src/planted.spec.ts', 'fast-check'));
  });

  describe('the command line imports the published packages and few others', () => {
    const screen = 'apps/console/src/screens/today/planted.ts';
    wall('wall/console', ['@counterfoil/kernel', 'node:fs', 'big.js'], { bad: [screen], good: [] });
    wall('wall/console', ['@counterfoil/sdk', 'react', '../planted'], { bad: [], good: [screen] });
    wall('wall/client', ['fastify', 'csv-parse', 'big.js'], {
      bad: ['apps/cli/src/planted.ts', 'apps/cli/src/commands/planted.ts'],
      good: ['apps/cli/test/planted.e2e.spec.ts'],
    });
    wall('wall/client', ['commander', 'csv-parse/sync', 'node:fs', '../planted'], {
      bad: [],
      good: ['apps/cli/src/commands/planted.ts'],
    });
  });

  describe('the SDK imports itself, and the verifier in one place', () => {
    const inSdk = 'libs/sdk/src/planted.ts';
    wall(
      'wall/sdk',
      ['@counterfoil/webhook-verifier', 'openapi-fetch', 'node:fs', 'node:crypto', '../planted'],
      {
        bad: [inSdk],
        good: [],
      },
    );
    wall('wall/sdk-webhooks', ['@counterfoil/kernel', './client.ts', 'node:crypto'], {
      bad: ['libs/sdk/src/webhooks.ts'],
      good: [],
    });
    accepted('./list.ts', importing(inSdk, './list.ts'));
    accepted('the verifier', importing('libs/sdk/src/webhooks.ts', '@counterfoil/webhook-verifier'));
  });

  describe('use cases depend on ports', () => {
    wall(
      'wall/application',
      ['../adapters/postgres/planted', '../../adapters/planted', '../parties.module'],
      {
        bad: [inApplication, 'libs/parties/src/application/ports/planted.ts'],
        good: [],
      },
    );
    refused(
      'Inject of @nestjs/common',
      'wall/application',
      importing(inApplication, '@nestjs/common', 'Inject'),
    );
    accepted('Injectable of @nestjs/common', importing(inApplication, '@nestjs/common', 'Injectable'));
    wall('wall/application', ['@nestjs/core', '@nestjs/config'], { bad: [inApplication], good: [inModule] });
    wall('wall/application', ['./ports/vendor.reader', '../domain/vendor', '@counterfoil/identity'], {
      bad: [],
      good: [inApplication],
    });
  });

  describe('adapters depend on ports and the domain, not on use cases', () => {
    wall('wall/adapters', ['../../application/create-vendor', '../../parties.module'], {
      bad: [inAdapters],
      good: [],
    });
    wall(
      'wall/adapters',
      ['../../application/ports/vendor.reader', '../../domain/vendor', '@nestjs/common'],
      {
        bad: [],
        good: [inAdapters],
      },
    );
  });

  describe('each technology is used only in its place', () => {
    wall('wall/orm', ['typeorm', '@nestjs/typeorm'], {
      bad: [
        inApplication,
        'libs/parties/src/planted.ts',
        'libs/outbox/src/planted.ts',
        'libs/config/src/planted.ts',
        'apps/api/src/planted.ts',
        'apps/worker/src/planted.ts',
        'apps/api/test/planted.e2e.spec.ts',
      ],
      good: [inAdapters, inModule, 'libs/database/src/planted.ts', 'libs/test-harness/src/planted.ts'],
    });
    wall('wall/driver', ['pg'], {
      bad: [inApplication, 'libs/outbox/src/planted.ts', 'apps/admin/src/planted.ts'],
      good: [
        inAdapters,
        'libs/database/src/planted.ts',
        'libs/queue/src/planted.ts',
        'libs/rate-limits/src/planted.ts',
      ],
    });
    wall('wall/redis', ['ioredis'], {
      bad: [inApplication, inAdapters, 'libs/config/src/planted.ts', 'apps/worker/src/planted.ts'],
      good: [
        'libs/queue/src/planted.ts',
        'libs/rate-limits/src/planted.ts',
        'libs/test-harness/src/planted.ts',
      ],
    });
    wall('wall/rate-limits', ['rate-limiter-flexible'], {
      bad: [inApplication, inAdapters, 'libs/queue/src/planted.ts', 'apps/api/src/planted.ts'],
      good: ['libs/rate-limits/src/planted.ts'],
    });
    wall('wall/leased-work', ['@counterfoil/leased-work'], {
      bad: [inApplication, inModule, 'libs/scheduling/src/planted.ts', 'apps/worker/src/planted.ts'],
      good: [inAdapters],
    });
    wall('wall/lists', ['@counterfoil/lists'], {
      bad: [inApplication, inModule, 'libs/scheduling/src/planted.ts', 'apps/api/src/planted.ts'],
      good: [inAdapters, 'libs/test-harness/src/planted.ts'],
    });
    wall('wall/queue', ['bullmq'], {
      bad: [
        inApplication,
        inAdapters,
        'libs/config/src/planted.ts',
        'libs/outbox/src/planted.ts',
        'apps/worker/src/planted.ts',
      ],
      good: ['libs/queue/src/planted.ts', 'libs/test-harness/src/planted.ts'],
    });
    wall('wall/storage', ['@aws-sdk/client-s3', '@aws-sdk/lib-storage'], {
      bad: [
        'libs/files/src/application/planted.ts',
        inAdapters,
        'apps/api/src/planted.ts',
        'apps/api/test/planted.e2e.spec.ts',
      ],
      good: ['libs/files/src/adapters/s3/planted.ts'],
    });
    const late = (name: string): string => `export const loading = import('${name}');\n`;
    const store = 'libs/files/src/adapters/s3/s3-file-store.ts';
    accepted('a late import of the SDK', { path: store, code: late('@aws-sdk/client-s3') });
    refused('any other', 'no-restricted-syntax', { path: store, code: late('typeorm') });
    refused('a late import of the SDK', 'no-restricted-syntax', {
      path: 'libs/files/src/adapters/s3/planted.ts',
      code: late('@aws-sdk/client-s3'),
    });
    wall('wall/tracing', ['@opentelemetry/api', '@opentelemetry/sdk-trace'], {
      bad: [inApplication, inAdapters, 'libs/observability/src/planted.ts', 'apps/worker/src/planted.ts'],
      good: ['libs/tracing/src/planted.ts'],
    });
    wall('wall/outbound-http', ['undici'], {
      bad: [inAdapters, 'libs/observability/src/planted.ts', 'apps/worker/src/planted.ts'],
      good: ['libs/outbound-http/src/planted.ts'],
    });

    const fetching = `export const answer = fetch('https://example.com');\n`;
    refused('URL.canParse', 'no-restricted-syntax', {
      path: inAdapters,
      code: `export const isUrl = (text: string): boolean => URL.canParse(text);\n`,
    });
    refused('fetch', 'no-restricted-globals', { path: inAdapters, code: fetching });
    refused('fetch', 'no-restricted-globals', { path: 'apps/worker/src/planted.ts', code: fetching });
    accepted('fetch', { path: 'libs/outbound-http/src/planted.ts', code: fetching });
    accepted('fetch', { path: 'libs/sdk/src/planted.ts', code: fetching });
    accepted('fetch', { path: 'apps/cli/src/planted.ts', code: fetching });
    accepted('fetch', { path: 'apps/api/test/planted.e2e.spec.ts', code: fetching });
  });

  describe('test code is used only by tests', () => {
    wall(
      'wall/testing',
      ['./testing/a-vendor', '@counterfoil/test-harness', 'fast-check', '@nestjs/testing'],
      {
        bad: ['libs/parties/src/planted.ts', 'libs/outbox/src/planted.ts'],
        good: ['libs/parties/src/planted.spec.ts', 'libs/parties/src/testing/planted.ts'],
      },
    );
    wall('wall/testing', ['../testing/a-vendor'], { bad: [inApplication, inDomain], good: [] });
    wall('wall/testing', ['supertest'], {
      bad: ['apps/api/src/planted.ts'],
      good: ['apps/api/test/planted.ts'],
    });
  });

  describe('only libs/config reads the environment', () => {
    const rule = 'no-restricted-properties';
    const reading = `export const port = process.env['PORT'];\n`;
    refused('process.env', rule, { path: 'libs/queue/src/planted.ts', code: reading });
    refused('process.env', rule, { path: 'apps/api/src/main.ts', code: reading });
    refused('process.env', rule, { path: inApplication, code: `export const { env } = process;\n` });
    refused('process.env', rule, { path: 'apps/cli/src/planted.ts', code: reading });
    accepted('process.env', { path: 'apps/cli/src/environment.ts', code: reading });
    accepted('process.env', { path: 'libs/config/src/planted.ts', code: reading });
    accepted('process.env', { path: 'libs/test-harness/src/planted.ts', code: reading });
    accepted('process.env', { path: 'libs/queue/src/planted.integration.spec.ts', code: reading });
    wall('wall/environment', ['node:process', 'process'], {
      bad: ['libs/queue/src/planted.ts', 'apps/worker/src/planted.ts'],
      good: ['libs/config/src/planted.ts'],
    });
  });

  describe('a lib is imported by its name', () => {
    wall('wall/deep', ['@counterfoil/identity/src/domain/user', '@counterfoil/identity/testing'], {
      bad: [inApplication, 'apps/api/src/planted.ts', 'apps/api/test/planted.e2e.spec.ts'],
      good: [],
    });
    accepted('@counterfoil/identity', importing('apps/api/src/planted.ts', '@counterfoil/identity'));
  });

  describe('every form of import is checked', () => {
    const ways = {
      'a type import': `import type { DataSource } from 'typeorm';\n\nexport type Source = DataSource;\n`,
      'an export of it': `export { DataSource } from 'typeorm';\n`,
      'an export of everything': `export * from 'typeorm';\n`,
      'an import for its effects': `import 'typeorm';\n`,
      'import and require': `import orm = require('typeorm');\n\nexport const used = orm;\n`,
    };
    for (const [what, code] of Object.entries(ways)) refused(what, 'wall/orm', { path: inApplication, code });
    refused('a dynamic import', 'no-restricted-syntax', {
      path: inApplication,
      code: `export const orm = import('typeorm');\n`,
    });
    refused('require', '@typescript-eslint/no-require-imports', {
      path: inApplication,
      code: `export const orm: unknown = require('typeorm');\n`,
    });
    refused('a type by import()', '@typescript-eslint/consistent-type-imports', {
      path: inApplication,
      code: `export type Source = import('typeorm').DataSource;\n`,
    });

    const disabling = plant({
      path: inApplication,
      code: `// eslint-disable-next-line\nexport * from 'typeorm';\n`,
    });
    it('refuses a comment that disables a rule', () => {
      expect(disabling().map(({ rule }) => rule)).toContain('wall/orm');
      expect(disabling().map(({ message }) => message)).toContainEqual(
        expect.stringContaining('has no effect'),
      );
    });
  });
});

describe('size and shape', () => {
  const source = 'libs/parties/src/planted.ts';
  const spec = 'libs/parties/src/planted.spec.ts';
  const lines = (count: number, line: string): string => `${line}\n`.repeat(count);

  const file = (count: number): string => lines(count, '// a line');
  refused('301 lines', 'max-lines', { path: source, code: file(301) });
  accepted('300 lines', { path: source, code: file(300) });
  accepted('301 lines', { path: spec, code: file(301) });
  refused('601 lines', 'max-lines', { path: spec, code: file(601) });
  accepted('600 lines', { path: spec, code: file(600) });

  const longFunction = (count: number): string =>
    `export function long(): void {\n${lines(count - 2, '  // a line')}}\n`;
  refused('a function of 71 lines', 'max-lines-per-function', { path: source, code: longFunction(71) });
  accepted('a function of 70 lines', { path: source, code: longFunction(70) });
  accepted('a function of 71 lines', { path: spec, code: longFunction(71) });

  const parameters = (count: number): string =>
    Array.from({ length: count }, (_, i) => `_p${i}: number`).join(', ');
  const withParameters = {
    'a function': (count: number) => `export function f(${parameters(count)}): void {}\n`,
    'an arrow function': (count: number) => `export const f = (${parameters(count)}): number => 1;\n`,
    'a method': (count: number) => `export class A {\n  f(${parameters(count)}): void {}\n}\n`,
    'an abstract method': (count: number) =>
      `export abstract class A {\n  abstract f(${parameters(count)}): void;\n}\n`,
  };
  for (const [what, code] of Object.entries(withParameters)) {
    refused(`${what} with 5 parameters`, 'no-restricted-syntax', { path: source, code: code(5) });
    accepted(`${what} with 4 parameters`, { path: source, code: code(4) });
  }
  const injected = (count: number): string => `export class A {\n  constructor(${parameters(count)}) {}\n}\n`;
  refused('9 injected collaborators', 'no-restricted-syntax', { path: source, code: injected(9) });
  accepted('8 injected collaborators', { path: source, code: injected(8) });

  const branching = (paths: number): string =>
    `export function f(n: number): number {\n${Array.from({ length: paths - 1 }, (_, i) => `  if (n === ${i}) return ${i};\n`).join('')}  return n;\n}\n`;
  refused('a function of 13 paths', 'complexity', { path: source, code: branching(13) });
  accepted('a function of 12 paths', { path: source, code: branching(12) });

  const nested = (depth: number): string =>
    `export function f(n: number): number {\n${'if (n > 1) {\n'.repeat(depth)}return 1;\n${'}\n'.repeat(depth)}return n;\n}\n`;
  refused('blocks 4 deep', 'max-depth', { path: source, code: nested(4) });
  accepted('blocks 3 deep', { path: source, code: nested(3) });

  refused('any', '@typescript-eslint/no-explicit-any', {
    path: source,
    code: 'export type Anything = any;\n',
  });
  refused('@ts-ignore', '@typescript-eslint/ban-ts-comment', {
    path: source,
    code: '// @ts-ignore\nexport const a = 1;\n',
  });
  refused('what nobody uses', '@typescript-eslint/no-unused-vars', { path: source, code: 'const a = 1;\n' });
  refused('a value import of a type', '@typescript-eslint/consistent-type-imports', {
    path: source,
    code: `import { Caller } from '@counterfoil/kernel';\n\nexport type A = Caller;\n`,
  });
  accepted('a value import in a decorated signature', {
    path: source,
    code:
      `import { Injectable } from '@nestjs/common';\nimport { Clock } from '@counterfoil/kernel';\n\n` +
      `@Injectable()\nexport class A {\n  constructor(readonly clock: Clock) {}\n}\n`,
  });
});

describe('names', () => {
  const code = 'export const a = 1;\n';
  for (const name of [
    'CreateVendor.ts',
    'create_vendor.ts',
    'createVendor.ts',
    'string-utils.ts',
    'helpers.ts',
    'common.ts',
  ])
    refused('the name', 'names/file', { path: `libs/parties/src/${name}`, code });
  for (const name of [
    'create-vendor.ts',
    'vendor.repository.ts',
    '1795219200000-foundation.ts',
    'commons-tax.spec.ts',
  ])
    accepted('the name', { path: `libs/parties/src/${name}`, code });
  refused('the name', 'names/file', { path: 'tools/build_helpers.mjs', code });

  for (const opening of [
    '/** What it holds. */',
    '// Whoever waits.',
    '/*\n * Who calls.\n */',
    '// One that is due.',
  ])
    refused(`the comment ${opening}`, 'prose/openings', {
      path: 'libs/parties/src/planted.ts',
      code: `${opening}\n${code}`,
    });
  accepted('a line that goes on', {
    path: 'libs/parties/src/planted.ts',
    code: `// The sum of\n// What it holds.\n${code}`,
  });

  const source = 'libs/parties/src/planted.ts';
  refused('a default export', 'no-restricted-exports', { path: source, code: 'export default 1;\n' });
  refused('a default export by name', 'no-restricted-exports', {
    path: source,
    code: `${code}export { a as default };\n`,
  });
  for (const name of ['CreateVendorUseCase', 'VendorService', 'VendorRepositoryImpl'])
    refused(`class ${name}`, 'no-restricted-syntax', { path: source, code: `export class ${name} {}\n` });
  accepted('class PostgresVendorRepository', {
    path: source,
    code: 'export class PostgresVendorRepository {}\n',
  });
  refused('interface IVendor', 'no-restricted-syntax', {
    path: source,
    code: 'export interface IVendor {\n  a: 1;\n}\n',
  });
  accepted('interface Invoice', { path: source, code: 'export interface Invoice {\n  a: 1;\n}\n' });

  for (const barrel of [`export * from './vendor';\n`, `export { vendor } from './vendor';\n`]) {
    refused('a barrel', 'no-restricted-syntax', { path: 'libs/parties/src/domain/index.ts', code: barrel });
    accepted('a barrel', { path: 'libs/parties/src/index.ts', code: barrel });
  }
  refused('UNAVAILABLE without its reason', 'no-restricted-syntax', {
    path: source,
    code: `import { AppError } from '@counterfoil/kernel';\nthrow new AppError('UNAVAILABLE', 'busy');\n`,
  });
  refused('forwardRef', 'no-restricted-syntax', {
    path: 'libs/parties/src/parties.module.ts',
    code: `import { forwardRef } from '@nestjs/common';\n\nexport const a = forwardRef(() => Object);\n`,
  });
});

describe('SQL is only in files that are compared with the database', () => {
  const inAdapter = 'libs/parties/src/adapters/postgres/planted.ts';
  const written = [
    `export const sql = 'select 1';\n`,
    'export const sql = (id: number) => `\n  update vendors set id = ${id}`;\n',
    'export const sql = (columns: string) => `${columns} a`.concat(`insert into vendors (${columns})`);\n',
    'export const sql = `with page as (select 1) select id from page`;\n',
  ];
  for (const code of written) {
    refused('SQL', 'sql/file', { path: inAdapter, code });
    refused('SQL', 'sql/file', { path: 'apps/api/src/health/planted.ts', code });
    for (const name of ['planted.sql.ts', 'planted.list.ts', 'migrations/1795219200000-planted.ts'])
      accepted('SQL', { path: `libs/parties/src/adapters/postgres/${name}`, code });
  }
  accepted('prose', { path: inAdapter, code: `export const text = 'Select a vendor, or update it';\n` });
});

describe('promises', () => {
  const file = 'libs/kernel/src/clock.ts';
  const work = 'const work = (): Promise<number> => Promise.resolve(1);\n';
  const judged = (code: string): Plant => ({ path: file, code: work + code, typed: true });

  refused('one that nobody waits for', '@typescript-eslint/no-floating-promises', judged('work();\n'));
  refused(
    'one as a condition',
    '@typescript-eslint/no-misused-promises',
    judged('if (work()) throw new Error();\n'),
  );
  refused(
    'waiting for no promise',
    '@typescript-eslint/await-thenable',
    judged('export const f = async () => await 1;\n'),
  );
  refused(
    'one returned from a try unawaited',
    '@typescript-eslint/return-await',
    judged('export async function f() {\n  try {\n    return work();\n  } catch {\n    return 0;\n  }\n}\n'),
  );
  accepted('one awaited', judged('export const f = async (): Promise<number> => (await work()) + 1;\n'));
});
