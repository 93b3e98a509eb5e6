// Compiles the TypeScript of the given folders (all of apps and libs by default) into dist/, file by file. Of tools,
// only tools/reader-training is TypeScript; it is compiled when asked for, and is not part of what runs in production.
// SWC, because it emits decorator metadata and takes milliseconds; types are checked by `npm run types`.
// Only what has changed is compiled, and each file appears whole: several processes may build at once, and
// others may be starting from dist/ meanwhile.
import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

async function sourcesUnder(folder) {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /((?<!\.spec|\.contract|\.d)\.ts|\.json)$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => /^((apps|libs)[\\/][^\\/]+[\\/]src|tools[\\/]reader-training)[\\/]/.test(file));
}

/** JSON is data that a module asks for; it is taken as it is. */
const isData = (file) => file.endsWith('.json');
const targetOf = (file) => path.join(root, 'dist', file.replace(/\.ts$/, '.js'));

/** The compiled file carries its source's time, and is current as long as both agree and this tool is older. */
async function isCurrent(file, toolTime) {
  const [source, target] = await Promise.all([
    fs.stat(path.join(root, file)),
    fs.stat(targetOf(file)).catch(() => null),
  ]);
  return target !== null && Math.abs(target.mtimeMs - source.mtimeMs) < 1 && target.ctimeMs > toolTime;
}

async function compile(file, paths, transform) {
  const source = path.join(root, file);
  const { atime, mtime } = await fs.stat(source);
  const target = targetOf(file);
  await fs.mkdir(path.dirname(target), { recursive: true });
  if (isData(file)) return replace(target, await fs.readFile(source), [atime, mtime]);
  const { code, map } = await transform(await fs.readFile(source, 'utf8'), {
    filename: source,
    sourceMaps: true,
    swcrc: false,
    configFile: false,
    jsc: {
      target: 'es2022',
      keepClassNames: true,
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      baseUrl: root,
      paths,
    },
    module: { type: 'commonjs' },
  });
  await replace(`${target}.map`, map);
  await replace(target, `${code}\n//# sourceMappingURL=${path.basename(target)}.map\n`, [atime, mtime]);
}

async function replace(target, content, times) {
  const draft = `${target}.${process.pid}.tmp`;
  await fs.writeFile(draft, content);
  if (times) await fs.utimes(draft, ...times);
  await fs.rename(draft, target);
}

/** What was compiled from a source that is gone would still be found, a migration for one. */
async function removeStale(folders, files) {
  const wanted = new Set(files.map(targetOf));
  for (const folder of folders) {
    const entries = await fs
      .readdir(path.join(root, 'dist', folder), { recursive: true, withFileTypes: true })
      .catch(() => []);
    const compiled = entries.filter((entry) => entry.isFile() && /\.(js|json)$/.test(entry.name));
    for (const target of compiled.map((entry) => path.join(entry.parentPath, entry.name))) {
      if (wanted.has(target)) continue;
      await fs.rm(target, { force: true });
      await fs.rm(`${target}.map`, { force: true });
    }
  }
}

/** When the way of compiling last changed: this file, the path aliases, or the compiler. */
async function toolChanged() {
  const inputs = ['tools/build.mjs', 'tsconfig.base.json', 'node_modules/@swc/core/package.json'];
  const times = await Promise.all(inputs.map(async (file) => (await fs.stat(path.join(root, file))).mtimeMs));
  return Math.max(...times);
}

/** @param {string[]} folders relative to the repository's root; @returns the number of files compiled */
export async function build(folders = ['apps', 'libs']) {
  const files = (await Promise.all(folders.map((folder) => sourcesUnder(path.join(root, folder))))).flat();
  await removeStale(folders, files);
  const toolTime = await toolChanged();
  const current = await Promise.all(files.map((file) => isCurrent(file, toolTime)));
  const outdated = files.filter((_, index) => !current[index]);
  if (outdated.length === 0) return 0;
  const { transform } = await import('@swc/core');
  const { paths } = JSON.parse(
    await fs.readFile(path.join(root, 'tsconfig.base.json'), 'utf8'),
  ).compilerOptions;
  await Promise.all(outdated.map((file) => compile(file, paths, transform)));
  return outdated.length;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folders = process.argv.slice(2);
  const started = performance.now();
  const count = await build(folders.length > 0 ? folders : undefined);
  console.log(`built ${count} files in ${Math.round(performance.now() - started)} ms`);
}
