import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(__dirname, '../../..');
const run = promisify(execFile);

/** A folder outside of the repository in which packages of ours are installed as another project would do it. */
export interface Installation {
  readonly folder: string;
  /** Links another package of the repository. */
  link(name: string): Promise<void>;
  /** Writes a file and returns its path. */
  write(name: string, content: string): Promise<string>;
  remove(): Promise<void>;
}

/**
 * Packs projects as they would be published, and installs the tarballs without a network. Packages of others that they
 * depend on are packed from `node_modules`.
 *
 * @param projects the names of published projects, with those that they depend on
 */
export async function installPackages(...projects: readonly string[]): Promise<Installation> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-package-'));
  const write = async (name: string, content: string) => {
    const file = path.join(folder, name);
    await writeFile(file, content);
    return file;
  };
  await write('package.json', '{ "private": true }');
  const tarballs: string[] = [];
  for (const source of [...projects.map(sourceOf), ...projects.flatMap(foreignPackages)])
    tarballs.push(await pack(source, folder));
  await npm(folder, 'install', '--offline', '--no-audit', '--no-fund', ...tarballs);
  return {
    folder,
    write,
    link: (name) =>
      symlink(path.join(ROOT, 'node_modules', name), path.join(folder, 'node_modules', name), 'dir'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

const sourceOf = (project: string): string =>
  ['libs', 'apps'].map((folder) => path.join(ROOT, folder, project)).find((folder) => existsSync(folder)) ??
  project;

function foreignPackages(project: string): string[] {
  const manifest = JSON.parse(readFileSync(path.join(sourceOf(project), 'package.json'), 'utf8')) as {
    dependencies?: Readonly<Record<string, string>>;
  };
  return Object.keys(manifest.dependencies ?? {})
    .filter((name) => !name.startsWith('@counterfoil/'))
    .map((name) => path.join(ROOT, 'node_modules', name));
}

/**
 * Compiles in a copy, because other processes may be linting the tree. The copy must be at the same depth as
 * the project.
 */
async function pack(source: string, into: string): Promise<string> {
  await mkdir(path.join(ROOT, 'tmp'), { recursive: true });
  const copy = await mkdtemp(path.join(ROOT, 'tmp', 'package-'));
  try {
    await cp(source, copy, { recursive: true });
    // Packages of others are packed as they are: their scripts need what only their authors have.
    const isOwn = path.dirname(source) !== path.join(ROOT, 'node_modules');
    const scripts = isOwn ? [] : ['--ignore-scripts'];
    const { stdout } = await npm(copy, 'pack', '--json', ...scripts, '--pack-destination', into);
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    return path.join(into, filename);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Runs npm without the environment that an outer npm has set, which would make it work in another folder. */
function npm(cwd: string, ...args: string[]) {
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return run('npm', ['--loglevel=error', ...args], { cwd, env: Object.fromEntries(own) });
}

/** Checks a program as a caller of the installed packages does, in strict mode. Returns the errors of the compiler. */
export async function typeErrorsIn(
  installation: Installation,
  name: string,
  program: string,
  ...options: string[]
): Promise<string> {
  const file = await installation.write(name, program);
  const tsc = [path.join(ROOT, 'node_modules/typescript7/lib/tsc.js'), '--noEmit', '--strict'];
  const args = [...tsc, '--exactOptionalPropertyTypes', '--target', 'es2022', ...options, file];
  return run(process.execPath, args, { cwd: installation.folder }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}
