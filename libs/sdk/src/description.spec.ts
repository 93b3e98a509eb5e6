import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ServiceErrorCode } from './errors.ts';
import * as operations from './operations.ts';
import type { ListOperation, Operation } from './operation.ts';

/** Compares the SDK with the description of the API and its documentation. */

const ROOT = path.resolve(__dirname, '../../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

interface Described {
  readonly deprecated?: boolean;
  readonly description?: string;
}

const { paths } = JSON.parse(read('docs/openapi.json')) as {
  paths: Record<string, Record<string, Described>>;
};

const METHODS = ['get', 'post', 'put', 'delete', 'patch'];
const described = new Map(
  Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => [`${method.toUpperCase()} ${at}`, operation] as const),
  ),
);

const table = Object.values(operations).flatMap((resource) =>
  Object.values(resource as Record<string, Operation | ListOperation>),
);

/** Routes that are no rows of the table, each with the reason. */
const LEFT_OUT = [
  { route: /^[A-Z]+ \/gateway\/webhooks\b/, reason: 'an alias of the route under /webhooks' },
  { route: /^[A-Z]+ \/gateway\/sandbox\//, reason: 'opened by payers, without a key' },
  { route: /^GET \/d\//, reason: 'opened by recipients of documents, without a key' },
  { route: /^POST \/files\/upload$/, reason: 'a form: files.ts' },
  { route: /^GET \/files\/\{id\}\/content$/, reason: 'bytes: files.ts' },
  { route: /^GET \/webhooks\/stream$/, reason: 'an answer without an end: event-stream.ts' },
];

describe('the table of operations', () => {
  it('has every route of the API once', () => {
    const expected = [...described]
      .filter(([route, { deprecated }]) => !deprecated && !LEFT_OUT.some((one) => one.route.test(route)))
      .map(([route]) => route);
    expect(table.map(({ route }) => route as string).sort()).toEqual(expected.sort());
    expect(table.length).toBeGreaterThan(80);
  });

  it('reads the lists that contract §2.7 names as uncounted', () => {
    const [, section = ''] = read('docs/contract/2-lists.md').split('## 2.7 ');
    const [own = ''] = section.split('\n## ');
    const named = [...own.matchAll(/`(?:GET )?(\/[^`]+)`/g)].map(([, at]) => `GET ${at}`);
    const uncounted = table.filter((one) => 'paging' in one && one.paging === 'uncounted');
    expect(named.length).toBeGreaterThan(1);
    expect(uncounted.map(({ route }) => route as string).sort()).toEqual(named.sort());
  });

  it('takes calls as repeatable unless docs/retries.md says that they act each time', () => {
    const [, acting = ''] =
      /Some calls take no key and act each time\.(.*)$/m.exec(read('docs/retries.md')) ?? [];
    const named = [...acting.matchAll(/`(?:POST )?(\/[^`]+)`/g)].map(([, at]) => `POST ${at}`);
    const never = table
      .filter(({ repetition }) => repetition === 'never')
      .map(({ route }) => route as string);
    expect(never.sort()).toEqual(named.sort());
  });
});

describe('the README', () => {
  const text = read('libs/sdk/README.md');
  // `expenses.extract` calls both operations of the extraction.
  const { extraction: _, ...named } = operations;
  const methods = Object.entries(named).flatMap(([resource, own]) =>
    Object.entries(own as Record<string, Operation | ListOperation>).map(([name, { repetition }]) => ({
      resource: resource.replace(/^gateway(.)/, (_, first: string) => first.toLowerCase()),
      name,
      repetition,
    })),
  );

  it('names every method in the row of its resource', () => {
    const rows = text.split('\n').filter((line) => line.startsWith('| `'));
    const isNamed = ({ resource, name }: { readonly resource: string; readonly name: string }) =>
      rows.some((row) => new RegExp(`[\`.]${resource}\`.*\`${name}\``).test(row));
    expect(methods.filter((method) => !isNamed(method))).toEqual([]);
    expect(methods.length).toBeGreaterThan(80);
  });

  it('names the methods that are never retried', () => {
    const [, line = ''] = /^- \*\*Never retried\*\*: (.*)$/m.exec(text) ?? [];
    const named = [...line.matchAll(/`([\w.]+)`/g)].map(([, name = '']) =>
      name.split('.').slice(-2).join('.'),
    );
    const never = methods.filter(({ repetition }) => repetition === 'never');
    expect(named.sort()).toEqual(never.map(({ resource, name }) => `${resource}.${name}`).sort());
  });
});

describe('the codes of errors', () => {
  it('are those of docs/errors.md', () => {
    const [, section = ''] = read('docs/errors.md').split('\n## Every code\n');
    const documented = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `([A-Z_]+)`/gm)].map(
      ([, code]) => code,
    );
    const [, union = ''] = /export type ServiceErrorCode =(.*?);/s.exec(read('libs/sdk/src/errors.ts')) ?? [];
    const known = [...union.matchAll(/'([A-Z_]+)'/g)].map(([, code]) => code as ServiceErrorCode);
    expect(documented.length).toBeGreaterThan(20);
    expect(known.sort()).toEqual(documented.sort());
  });
});

describe('the types', () => {
  it('are the output of `npm run types:sdk`', () => {
    const ended = spawnSync(process.execPath, ['tools/sdk-types.mjs', '--check'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect({ status: ended.status, output: ended.stdout + ended.stderr }).toEqual({ status: 0, output: '' });
  }, 60_000);
});
