// Compiles the TypeScript of the given folders (all of apps and libs by default) into dist/, file by file. Of tools,
// only tools/reader-training is TypeScript; it is compiled when asked for, and is not part of what runs in production.
// SWC, because it emits decorator metadata and takes milliseconds; types are checked by `npm run types`.
// Then joins large packages and own modules, see bundle-packages.mjs and join-programs.mjs.
// Only changed files are compiled, and each is replaced atomically: several processes may build at once while others
// start from dist/.
import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { joinPrograms, separatePrograms } from './join-programs.mjs';
import { replace, root } from './lib/versioned-code.mjs';

async function sourcesUnder(folder) {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
  return (
    entries
      .filter((entry) => entry.isFile() && /((?<!\.spec|\.contract|\.d)\.ts|\.json|\.typ)$/.test(entry.name))
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
      // The console runs in browsers: build-console.mjs.
      .filter((file) => !/^apps[\\/]console[\\/]/.test(file))
      .filter((file) => /^((apps|libs)[\\/][^\\/]+[\\/]src|tools[\\/]reader-training)[\\/]/.test(file))
  );
}

/** The compiler's messages about all files that it cannot compile, without its stack. */
export class BuildError extends Error {
  constructor(faults) {
    const texts = faults.map(({ message }) => message.split('\n\nCaused by:')[0].trimEnd());
    super(texts.join('\n').replaceAll(`${root}${path.sep}`, ''));
    this.name = 'BuildError';
  }
}

/** JSON and the templates of Typst are read by modules, and are copied unchanged. */
const isData = (file) => /\.(json|typ)$/.test(file);
const targetOf = (file) => path.join(root, 'dist', file.replace(/\.ts$/, '.js'));

/** The output has the modification time of its source. It is current if both are equal and this tool is older. */
async function isCurrent(file, toolTime) {
  const [source, target] = await Promise.all([
    fs.stat(path.join(root, file)),
    fs.stat(targetOf(file)).catch(() => null),
  ]);
  return target !== null && Math.abs(target.mtimeMs - source.mtimeMs) < 1 && target.ctimeMs > toolTime;
}

/** @returns {Promise<{ file: string, times: Date[], code: string | Buffer, map?: string }>} the output, not written yet */
async function compile(file, paths, transform) {
  const source = path.join(root, file);
  const { atime, mtime } = await fs.stat(source);
  const times = [atime, mtime];
  if (isData(file)) return { file, times, code: await fs.readFile(source) };
  const { code, map } = await transform(await fs.readFile(source, 'utf8'), {
    filename: source,
    sourceMaps: true,
    swcrc: false,
    configFile: false,
    jsc: {
      target: 'es2022',
      // libs/sdk names its files in full, as ES modules must.
      rewriteRelativeImportExtensions: true,
      keepClassNames: true,
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      baseUrl: root,
      paths,
    },
    module: { type: 'commonjs' },
  });
  return { file, times, code, map };
}

async function write({ file, times, code, map }) {
  const target = targetOf(file);
  await fs.mkdir(path.dirname(target), { recursive: true });
  if (map === undefined) return replace(target, code, times);
  await replace(`${target}.map`, map);
  await replace(target, `${code}\n//# sourceMappingURL=${path.basename(target)}.map\n`, times);
}

/** Output of deleted sources, which would still be loaded: a migration, for example. */
async function staleOutput(folders, files) {
  const wanted = new Set(files.map(targetOf));
  const inFolders = folders.map(async (folder) => {
    const entries = await fs
      .readdir(path.join(root, 'dist', folder), { recursive: true, withFileTypes: true })
      .catch(() => []);
    const compiled = entries.filter((entry) => entry.isFile() && /\.(js|json|typ)$/.test(entry.name));
    return compiled.map((entry) => path.join(entry.parentPath, entry.name));
  });
  return (await Promise.all(inFolders)).flat().filter((target) => !wanted.has(target));
}

async function remove(target) {
  await fs.rm(target, { force: true });
  await fs.rm(`${target}.map`, { force: true });
}

const sourceOf = (target) => path.relative(path.join(root, 'dist'), target).replace(/\.js$/, '.ts');

/** The time of the last change that affects all output: of this file, the path aliases, or the compiler. */
async function toolChanged() {
  const inputs = ['tools/build.mjs', 'tsconfig.base.json', 'node_modules/@swc/core/package.json'];
  const times = await Promise.all(inputs.map(async (file) => (await fs.stat(path.join(root, file))).mtimeMs));
  return Math.max(...times);
}

/**
 * Compiles changed files. If one of them cannot be compiled, no output is changed.
 *
 * @param {string[]} folders relative to the repository's root
 * @returns {Promise<{ compiled: string[], removed: string[] }>} sources, relative to the root
 */
export async function buildChanges(folders = ['apps', 'libs']) {
  const files = (await Promise.all(folders.map((folder) => sourcesUnder(path.join(root, folder))))).flat();
  const toolTime = await toolChanged();
  const current = await Promise.all(files.map((file) => isCurrent(file, toolTime)));
  const compiled = files.filter((_, index) => !current[index]);
  const outputs = compiled.length > 0 ? await compileAll(compiled) : [];
  const stale = await staleOutput(folders, files);
  if (outputs.length + stale.length > 0) await separatePrograms();
  await Promise.all(outputs.map(write));
  await Promise.all(stale.map(remove));
  return { compiled, removed: stale.map(sourceOf) };
}

async function compileAll(files) {
  const { transform } = await import('@swc/core');
  const { paths } = JSON.parse(
    await fs.readFile(path.join(root, 'tsconfig.base.json'), 'utf8'),
  ).compilerOptions;
  const outputs = await Promise.allSettled(files.map((file) => compile(file, paths, transform)));
  const faults = outputs.filter(({ status }) => status === 'rejected').map(({ reason }) => reason);
  // Callers build again after ENOENT: a file disappeared during the build.
  const vanished = faults.find(({ code }) => code === 'ENOENT');
  if (vanished) throw vanished;
  if (faults.length > 0) throw new BuildError(faults);
  return outputs.map(({ value }) => value);
}

/** Joins packages and own modules, so that programs start faster, if those have changed. */
export async function joinCode() {
  const { bundlePackages } = await import('./bundle-packages.mjs');
  await bundlePackages();
  await joinPrograms();
}

/** @returns {Promise<number>} how many files were compiled */
export async function build(folders) {
  return (await buildChanges(folders)).compiled.length;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folders = process.argv.slice(2);
  const started = performance.now();
  try {
    const count = await build(folders.length > 0 ? folders : undefined);
    await joinCode();
    console.log(`built ${count} files in ${Math.round(performance.now() - started)} ms`);
  } catch (error) {
    console.error(error instanceof BuildError ? error.message : error);
    process.exitCode = 1;
  }
}
