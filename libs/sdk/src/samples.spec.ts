import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { Counterfoil } from './index.ts';

/** The samples of the API's description, which its reference shows. */

const ROOT = path.resolve(__dirname, '../../..');
const TSC = path.join(ROOT, 'node_modules/typescript7/lib/tsc.js');
const run = promisify(execFile);

interface Described {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly 'x-codeSamples'?: readonly { readonly label: string; readonly source: string }[];
}

const { paths } = JSON.parse(readFileSync(path.join(ROOT, 'docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Described>>;
};
const operations = Object.entries(paths).flatMap(([at, item]) =>
  Object.entries(item).map(([method, described]) => ({
    route: `${method.toUpperCase()} ${at}`,
    ...described,
  })),
);
const samplesIn = (label: string): [route: string, source: string][] =>
  operations.flatMap(({ route, 'x-codeSamples': samples = [] }) =>
    samples.filter((one) => one.label === label).map(({ source }): [string, string] => [route, source]),
  );

it('are there for every operation, except aliases, and what the SDK does not have', () => {
  const current = operations.filter(({ deprecated }) => !deprecated);
  const routes = (label: string) => samplesIn(label).map(([route]) => route);
  expect(routes('Python')).toEqual(current.map(({ route }) => route));
  expect(routes('Node (SDK)')).toEqual(
    current.map(({ route }) => route).filter((route) => !/\/sandbox\/| \/d\//.test(route)),
  );
});

it('compile against the types of the SDK', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'samples-'));
  try {
    for (const [index, [, source]] of samplesIn('Node (SDK)').entries())
      writeFileSync(path.join(folder, `sample-${index}.ts`), source);
    const compilerOptions = {
      ...{ strict: true, noEmit: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler' },
      ...{ allowImportingTsExtensions: true, skipLibCheck: true, lib: ['es2024'] },
      types: [path.join(ROOT, 'node_modules/@types/node')],
      paths: { '@counterfoil/sdk': [path.join(__dirname, 'index.ts')] },
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const { stdout } = await run(process.execPath, [TSC, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 120_000);

const EMPTY = { data: [], pagination: { offset: 0, pageSize: 50, hasMore: false, total: 0 } };

/** Runs until it is refused. */
const STREAM = 'GET /webhooks/stream';
const REFUSED = { success: false, code: 'UNAUTHENTICATED', error: 'no such key', requestId: '1' };

/** Runs a sample, and returns what it sends. */
async function requestOf(source: string): Promise<string> {
  let sent = '';
  const record: typeof fetch = (url, init) => {
    sent = `${init?.method ?? 'GET'} ${new URL(new Request(url).url).pathname}`;
    return Promise.resolve(sent === STREAM ? Response.json(REFUSED, { status: 401 }) : Response.json(EMPTY));
  };
  class Recorded extends Counterfoil {
    constructor(options: ConstructorParameters<typeof Counterfoil>[0]) {
      super({ ...options, fetch: record });
    }
  }
  const code = source.replace(/^import .*$/m, '');
  const quiet = { log: () => undefined };
  const run = runInNewContext(`(async () => {${code}})()`, {
    Counterfoil: Recorded,
    console: quiet,
  }) as Promise<void>;
  await run.catch((error: unknown) => {
    if (sent !== STREAM) throw error;
  });
  return sent;
}

it.each(samplesIn('Node (SDK)').filter(([route]) => route !== 'POST /files/upload'))(
  'call the route that they are shown for: %s',
  async (route, source) => {
    const pattern = route.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/{}]+');
    expect(await requestOf(source)).toMatch(new RegExp(`^${pattern}$`));
  },
);

const pythons = ['python3'].filter((name) => spawnSync(name, ['--version']).status === 0);

it(`compile in ${pythons[0] ?? 'no Python, because none is installed'}`, () => {
  const sources = samplesIn('Python').map(([, source]) => source);
  for (const python of pythons) {
    const program = 'import ast, json, sys\nfor source in json.load(sys.stdin): ast.parse(source)';
    const { status, stderr } = spawnSync(python, ['-c', program], {
      input: JSON.stringify(sources),
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  }
});
