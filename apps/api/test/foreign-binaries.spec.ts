import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from './projects';

const SCRIPT = `
  import { removeForeignBinaries } from './tools/lib/foreign-binaries.mjs';
  const [modules, loaded] = JSON.parse(process.argv[1]);
  console.log(JSON.stringify(removeForeignBinaries(modules, loaded)));
`;
const LINUX = { platform: 'linux', arch: 'x64' };
const BINARIES = ['darwin/arm64', 'linux/arm64', 'linux/x64', 'win32/arm64', 'win32/x64'];

let modules: string;

beforeEach(() => {
  modules = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil modules '));
  for (const binary of BINARIES) put(`onnxruntime-node/bin/napi-v6/${binary}/onnxruntime_binding.node`);
  put('onnxruntime-node/dist/index.js');
  put('another/bin/napi-v6/win32/x64/another.node');
});
afterEach(() => fs.rmSync(modules, { recursive: true }));

function put(file: string): void {
  const full = path.join(modules, file);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, '');
}

function remove(loaded: { readonly platform: string; readonly arch: string }): string[] {
  const args = ['--input-type=module', '-e', SCRIPT, JSON.stringify([modules, loaded])];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })) as string[];
}

const binariesLeft = (): string[] =>
  BINARIES.filter((binary) => fs.existsSync(path.join(modules, 'onnxruntime-node/bin/napi-v6', binary)));

describe('removing binaries for other platforms', () => {
  it('keeps those that this platform loads, and every other file', () => {
    expect(remove(LINUX)).toHaveLength(3);
    expect(binariesLeft()).toEqual(['linux/x64']);
    expect(fs.existsSync(path.join(modules, 'onnxruntime-node/dist/index.js'))).toBe(true);
    expect(fs.existsSync(path.join(modules, 'another/bin/napi-v6/win32/x64/another.node'))).toBe(true);
  });

  it('removes nothing the second time', () => {
    remove(LINUX);
    expect(remove(LINUX)).toEqual([]);
    expect(binariesLeft()).toEqual(['linux/x64']);
  });

  it.each([
    { platform: 'linux', arch: 'riscv64' },
    { platform: 'freebsd', arch: 'x64' },
  ])('removes nothing on $platform $arch, for which there are none', (loaded) => {
    expect(remove(loaded)).toEqual([]);
    expect(binariesLeft()).toEqual(BINARIES);
  });

  it('does nothing without the package', () => {
    fs.rmSync(path.join(modules, 'onnxruntime-node'), { recursive: true });
    expect(remove(LINUX)).toEqual([]);
  });

  it('finds the binaries of the installed package where it looks for them', () => {
    const bin = path.join(ROOT, 'node_modules/onnxruntime-node/bin');
    const [version = ''] = fs.readdirSync(bin);
    expect(version).toMatch(/^napi-v\d+$/);
    const own = path.join(bin, version, process.platform, process.arch);
    expect(fs.readdirSync(own)).toContain('onnxruntime_binding.node');
  });
});
