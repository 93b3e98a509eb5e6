import {
  DEMO_KEY,
  type Installation,
  installPackages,
  queueStores,
  startService,
  type TestService,
} from '@counterfoil/test-harness';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(__dirname, '../../..');
const run = promisify(execFile);

let installation: Installation;
let service: TestService;

beforeAll(async () => {
  installation = await installPackages('webhook-verifier', 'sdk', 'cli');
  service = await startService(queueStores()[0]!);
}, 240_000);

afterAll(async () => {
  await service?.stop();
  await installation?.remove();
});

const counterfoil = (...args: string[]) =>
  run(path.join(installation.folder, 'node_modules/.bin/counterfoil'), args, {
    cwd: installation.folder,
    env: {
      PATH: process.env['PATH'],
      HOME: installation.folder,
      COUNTERFOIL_URL: service.url,
      COUNTERFOIL_KEY: DEMO_KEY,
    },
  });

describe('the packed command line in an empty folder', () => {
  const folderOf = (name: string) => path.join(installation.folder, 'node_modules', name);
  const manifestOf = (folder: string) =>
    JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Readonly<Record<string, unknown>>;

  it('runs as counterfoil, against a service', async () => {
    const { version } = manifestOf(ROOT);
    expect(await counterfoil('--version')).toEqual({ stdout: `${String(version)}\n`, stderr: '' });
    const vendors = '[{ "name": "Paper", "taxId": "514000017", "type": "COMPANY" }]';
    const file = await installation.write('vendors.json', vendors);
    expect((await counterfoil('vendors', 'import', file)).stdout).toMatch(/^1 created/);
    expect(JSON.parse((await counterfoil('openapi')).stdout)).toHaveProperty('paths');
    await expect(counterfoil('documents', 'show', '1', '--json')).rejects.toMatchObject({ code: 1 });
  });

  it('contains the expected files, and needs the packages of this repository in its versions', () => {
    const folder = folderOf('@counterfoil/cli');
    expect(readdirSync(folder).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    const { dependencies, version } = manifestOf(folder);
    const root = manifestOf(ROOT) as { version: string; dependencies: Readonly<Record<string, string>> };
    const expected = Object.keys(dependencies as object).map((name) => {
      const version = name.startsWith('@counterfoil/') ? root.version : root.dependencies[name];
      return [name, version];
    });
    expect(version).toBe(root.version);
    expect(dependencies).toEqual(Object.fromEntries(expected));
    const files = readdirSync(path.join(folder, 'dist'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => /spec|test/.test(file))).toEqual([]);
    expect(readFileSync(path.join(folder, 'LICENSE'), 'utf8')).toBe(
      readFileSync(path.join(ROOT, 'LICENSE'), 'utf8'),
    );
  });
});
