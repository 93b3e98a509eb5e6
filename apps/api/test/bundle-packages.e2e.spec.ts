import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './projects';

const PACKAGES = path.join(ROOT, 'dist/packages');

/** Runs code in the folder of a program, and returns what it prints. */
function run(code: string, flags: readonly string[] = []): string {
  const cwd = path.join(ROOT, 'dist/apps/api/src');
  return execFileSync(process.execPath, [...flags, '-e', code], { cwd, encoding: 'utf8' }).trim();
}

/** The folder of the bundle that programs load. */
function currentFolder(): string {
  const index = fs.readFileSync(path.join(PACKAGES, 'index.js'), 'utf8');
  return path.join(PACKAGES, /'\.\/([^/]+)\//.exec(index)?.[1] ?? 'none');
}

function bundledPackages(): string[] {
  const folder = path.join(ROOT, 'dist/node_modules');
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('index.js')).map((file) => path.dirname(file));
}

describe('the packages of a program', () => {
  it.each([[[]], [['--max-semi-space-size=32']], [['--enable-source-maps']]])(
    'are loaded from compiled code, with the options %j of Node',
    (flags) => {
      const loader = path.join(currentFolder(), 'load-packages.cjs');
      expect(run(`console.log(require(${JSON.stringify(loader)}).usesCache)`, flags)).toBe('true');
    },
  );

  it('are loaded from the bundle, and own code from its files', () => {
    const files = run(
      `require('./create-app.js'); console.log(Object.keys(require.cache).join('\\n'))`,
    ).split('\n');
    const loaded = (folder: string) => files.filter((file) => file.startsWith(path.join(ROOT, folder)));
    expect(loaded('node_modules/@nestjs').concat(loaded('node_modules/typeorm'))).toEqual([]);
    expect(loaded('dist/node_modules').length).toBeGreaterThan(10);
    expect(loaded('dist/libs').length).toBeGreaterThan(100);
  });

  it('have the names that they have outside of the bundle', () => {
    const script = (folder: string) => `
      const { createRequire } = require('node:module');
      const load = createRequire(${JSON.stringify(path.join(ROOT, folder, 'index.js'))});
      const names = ${JSON.stringify(bundledPackages())}.map((name) => Object.entries(load(name))
        .flatMap(([key, value]) => typeof value === 'function' ? [name + ' ' + key + ' ' + value.name] : []));
      console.log(names.flat().sort().join('\\n'))`;
    const names = run(script('dist'));
    expect(names.split('\n').length).toBeGreaterThan(500);
    expect(names).toBe(run(script('.')));
  });

  it('know the folders of their own files', () => {
    const redis = `const { Redis } = require('ioredis'); const net = require('node:net');
      const server = net.createServer((socket) => socket.on('data', (data) => {
        const version = /LIB-VER\\r\\n\\$\\d+\\r\\n([^\\r]+)/i.exec(data)?.[1];
        if (version) { console.log(version); process.exit(0); }
        socket.write('+OK\\r\\n'.repeat(data.toString().split('*').length - 1));
      })).listen(0, '127.0.0.1', () => new Redis(server.address().port, { enableReadyCheck: false }));`;
    const { version } = JSON.parse(
      fs.readFileSync(path.join(ROOT, 'node_modules/ioredis/package.json'), 'utf8'),
    ) as { version: string };
    expect(run(redis)).toBe(version);
  });
});
