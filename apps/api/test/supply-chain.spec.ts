import { execFile, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(__dirname, '../../..');
const TIMEOUT_MS = 120_000;
const execute = promisify(execFile);

let place: string;

beforeEach(() => {
  place = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-supply-'));
});
afterEach(() => fs.rmSync(place, { recursive: true, force: true }));

function run(tool: string, ...args: string[]): { status: number | null; output: string } {
  // An unreachable registry, because these tools must not use any.
  const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:1/', npm_config_offline: 'true' };
  const ended = spawnSync(process.execPath, [path.join(ROOT, 'tools', tool), ...args], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
  return { status: ended.status, output: ended.stdout + ended.stderr };
}

interface Planted {
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/** Creates a folder with packages in its lock file. Only those with a text are installed. */
function plant(
  packages: Readonly<Record<string, Planted>>,
  texts: Readonly<Record<string, string>> = {},
): string {
  const own = { name: 'planted', version: '1.0.0', license: 'MIT' };
  const entries = Object.entries(packages).map(([name, more]) => [
    `node_modules/${name}`,
    { version: '1.0.0', ...more },
  ]);
  const lock = { ...own, lockfileVersion: 3, packages: { '': own, ...Object.fromEntries(entries) } };
  fs.writeFileSync(path.join(place, 'package.json'), JSON.stringify(own));
  fs.writeFileSync(path.join(place, 'package-lock.json'), JSON.stringify(lock));
  for (const [name, text] of Object.entries(texts)) {
    const folder = path.join(place, 'node_modules', name);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(
      path.join(folder, 'package.json'),
      JSON.stringify({ name, author: `The maker of ${name}` }),
    );
    if (text !== '') fs.writeFileSync(path.join(folder, 'LICENSE'), text);
  }
  return place;
}

/** Runs a tool twice, and returns its output. Both outputs must be identical. */
function writtenBy(tool: string, folder = ROOT): string {
  const [one, other] = ['one', 'other'].map((name) => {
    const file = path.join(place, 'written', name);
    expect(run(tool, folder, file)).toMatchObject({ status: 0 });
    return fs.readFileSync(file, 'utf8');
  });
  expect(other).toBe(one);
  return one!;
}

describe('npm run licences', () => {
  it('finds every production package under an allowed licence', () => {
    const { status, output } = run('licences.mjs');
    expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/^\d{3} packages /) });
  });

  it.each<[string, Planted]>([
    ['a licence that asks for more', { license: 'AGPL-3.0-only' }],
    ['no licence', {}],
    ['one part that is not allowed', { license: 'MIT AND GPL-2.0-only' }],
    ['the licence of an exception, under another name', { license: 'LGPL-3.0' }],
    ['a licence of its own', { license: 'SEE LICENSE IN LICENSE' }],
    ['one that development needs as well', { license: 'AGPL-3.0-only', devOptional: true }],
  ])('refuses %s', (_, planted) => {
    const folder = plant({ good: { license: 'MIT' }, 'bad-one': planted });
    const { status, output } = run('licences.mjs', folder);
    expect(status).toBe(1);
    expect(output).toMatch(/^bad-one@1\.0\.0: the licence .* is not allowed/);
  });

  it.each<[string, string, Planted]>([
    ['a choice of which one is allowed', 'chosen', { license: '(GPL-2.0-only OR MIT)' }],
    ['all parts allowed', 'both', { license: 'Apache-2.0 AND MIT' }],
    ['an exception by name', 'libheif-js', { license: 'LGPL-3.0' }],
    ['what only development needs', 'tool', { license: 'AGPL-3.0-only', dev: true }],
  ])('takes %s', (_, name, planted) => {
    expect(run('licences.mjs', plant({ [name]: planted }))).toMatchObject({ status: 0 });
  });
});

describe('npm run sbom', () => {
  it(
    'lists every production package as CycloneDX, deterministically',
    () => {
      const stated = JSON.parse(writtenBy('sbom.mjs')) as {
        bomFormat: string;
        serialNumber: string;
        metadata: { component: { name: string } };
        components: { name: string; version: string; purl: string; licenses: object[] }[];
        dependencies: { ref: string }[];
      };
      expect(stated).toMatchObject({
        bomFormat: 'CycloneDX',
        metadata: { component: { name: 'counterfoil' } },
      });
      expect(stated.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      const own = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
        dependencies: Record<string, string>;
        devDependencies: Record<string, string>;
      };
      const names = stated.components.map(({ name, version }) => `${name}@${version}`);
      for (const [name, version] of Object.entries(own.dependencies))
        expect(names).toContain(`${name}@${version}`);
      expect(names.filter((name) => /^(jest|eslint|nx|prettier)@/.test(name))).toEqual([]);
      expect(stated.dependencies).toHaveLength(stated.components.length + 1);
    },
    TIMEOUT_MS,
  );
});

describe('npm run notices', () => {
  it('has the name and licence text of every production package, deterministically', () => {
    const notices = writtenBy('notices.mjs');
    expect(notices).toMatch(/^fastify \d+\.\d+\.\d+ \(MIT\)$/m);
    expect(notices).toContain('Apache License');
    expect(notices).toContain('GNU LESSER GENERAL PUBLIC LICENSE');
    // Most packages are installed here. The others are builds for other platforms.
    const all = notices.match(/^={80}\n.+\n={80}$/gm) ?? [];
    const elsewhere = notices.match(/^For another platform/gm) ?? [];
    expect(all.length).toBeGreaterThan(3 * elsewhere.length);
  });

  it('uses the generic licence text for a package without one', () => {
    const text = 'MIT License\n\nCopyright (c) Somebody\n\nPermission is hereby granted';
    const folder = plant(
      { with: { license: 'MIT' }, without: { license: 'MIT' } },
      { with: text, without: '' },
    );
    const notices = writtenBy('notices.mjs', folder);
    const [, own = ''] = notices.split('without 1.0.0 (MIT)');
    expect(own).toContain('Copyright (c) The maker of without');
    expect(own).toContain('Permission is hereby granted');
    expect(own).not.toContain('Somebody');
  });

  it('fails if no package has the text', () => {
    const folder = plant({ without: { license: 'MIT' } }, { without: '' });
    const { status, output } = run('notices.mjs', folder, path.join(place, 'NOTICES.txt'));
    expect({ status, output }).toEqual({ status: 1, output: expect.stringContaining('without') });
  });
});

describe('npm run audit', () => {
  /** Runs the audit against a registry in this process. */
  async function audit(registry: string, patienceMs = TIMEOUT_MS) {
    const env = {
      ...process.env,
      npm_config_registry: registry,
      npm_config_fetch_timeout: String(patienceMs),
    };
    const asked = execute(process.execPath, [path.join(ROOT, 'tools/audit.mjs')], { cwd: ROOT, env });
    return asked.then(
      ({ stdout }) => ({ status: 0, output: stdout }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
        status: code,
        output: stderr + stdout,
      }),
    );
  }

  function withRegistry<T>(found: object, work: (url: string) => Promise<T>): Promise<T> {
    return withServer((request, response) => {
      const isAudit = request.url === '/-/npm/v1/security/advisories/bulk';
      request.resume().on('end', () => response.writeHead(isAudit ? 200 : 404).end(JSON.stringify(found)));
    }, work);
  }

  async function withServer<T>(answer: http.RequestListener, work: (url: string) => Promise<T>): Promise<T> {
    const server = http.createServer(answer);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  const advisory = (severity: string) => ({
    // npm caches the data of an advisory by its number.
    ...{
      id: randomInt(2 ** 40),
      url: 'https://github.com/advisories/GHSA-planted',
      title: 'Planted',
      severity,
    },
    vulnerable_versions: '*',
  });

  it.each([
    ['high', 1],
    ['critical', 1],
    ['moderate', 0],
  ])(
    'has a different exit status for a finding that is %s',
    async (severity, status) => {
      const { output, ...ended } = await withRegistry({ fastify: [advisory(severity)] }, audit);
      expect(ended).toEqual({ status });
      expect(output).toContain(`1 known vulnerabilities in packages of production, ${status} of them`);
    },
    TIMEOUT_MS,
  );

  it.each<[string, () => Promise<object>]>([
    ['is there', () => audit('http://127.0.0.1:1/')],
    [
      'says anything',
      () =>
        withServer(
          () => undefined,
          (url) => audit(url, 500),
        ),
    ],
    ['knows of audits', () => withServer((_, response) => void response.writeHead(405).end(), audit)],
  ])(
    'reports if no registry %s, without failing or waiting',
    async (_, ask) => {
      const started = Date.now();
      expect(await ask()).toEqual({ status: 0, output: expect.stringMatching(/^not audited: /) });
      expect(Date.now() - started).toBeLessThan(30_000);
    },
    TIMEOUT_MS,
  );
});
