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
  return path.join(PACKAGES, /'\.\/(\w+)\//.exec(index)?.[1] ?? 'none');
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
