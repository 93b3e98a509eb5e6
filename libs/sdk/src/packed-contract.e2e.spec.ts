import {
  DEMO_KEY,
  type Installation,
  installPackages,
  queueStores,
  startService,
  type TestService,
} from '@counterfoil/test-harness';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { AREAS } from './testing/contract-run.ts';
import { lineCount, readmeCode } from './testing/readme-code.ts';

/** Compiles the contract run as programs of callers, who installed the package, and runs them. */

const ROOT = path.resolve(__dirname, '../../..');
const run = promisify(execFile);
const PROGRAM = `${readFileSync(path.join(__dirname, 'testing/contract-run.ts'), 'utf8').replace(
  "'../index.ts'",
  "'@counterfoil/sdk'",
)}
declare const process: { readonly argv: readonly string[] };
const [, , apiKey = '', baseUrl = ''] = process.argv;
void runContract({ apiKey, baseUrl }).then((areas) => console.log(areas.join()));
`;

let installation: Installation;
let service: TestService;

beforeAll(async () => {
  installation = await installPackages('webhook-verifier', 'sdk');
  service = await startService(queueStores()[0]!);
}, 180_000);

afterAll(async () => {
  await service?.stop();
  await installation?.remove();
});

/** Compiles with the types of a browser. Rejects with the errors of the compiler. */
async function compile(name: string, ...options: string[]): Promise<void> {
  const file = await installation.write(name, PROGRAM);
  const libs = 'es2022,dom,dom.iterable,dom.asynciterable';
  const common = ['--strict', '--target', 'es2022', '--lib', libs, '--types', '', '--outDir', 'built'];
  const tsc = path.join(ROOT, 'node_modules/typescript7/lib/tsc.js');
  const compiling = run(process.execPath, [tsc, ...common, ...options, file], { cwd: installation.folder });
  await compiling.catch(({ stdout }: { stdout: string }) => {
    throw new Error(stdout);
  });
}

describe('the packed SDK in a project of its own', () => {
  it.each([
    ['node16.mts', 'node16.mjs', ['--module', 'node16']],
    ['node16.cts', 'node16.cjs', ['--module', 'node16']],
    ['nodenext.mts', 'nodenext.mjs', ['--module', 'nodenext']],
    ['nodenext.cts', 'nodenext.cjs', ['--module', 'nodenext']],
    ['bundled.mts', 'bundled.mjs', ['--module', 'esnext', '--moduleResolution', 'bundler']],
  ])('keeps the contract as %s', async (source, compiled, options) => {
    await compile(source, ...options);
    const program = path.join(installation.folder, 'built', compiled);
    const { stdout, stderr } = await run(process.execPath, [program, DEMO_KEY, service.url]);
    expect({ stdout, stderr }).toEqual({ stdout: `${Object.keys(AREAS).join()}\n`, stderr: '' });
  });

  it('runs the six lines of the README of the repository', async () => {
    const code = readmeCode('The SDK in six lines', 'js', path.join(ROOT, 'README.md'));
    expect(lineCount(code)).toBe(6);
    const program = await installation.write('six.mjs', code.replace('http://127.0.0.1:3000', service.url));
    const { stdout, stderr } = await run(process.execPath, [program]);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^\d+ 354$/m);
  });
});
