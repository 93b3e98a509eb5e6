// Bundles the console (apps/console) into dist/console: files for browsers with their hash in the name, each compressed
// beside it. Rebuilt only if a source has changed; the new files replace the old ones at once.
import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const SOURCES = ['apps/console/src', 'libs/sdk/src'];
const INPUTS = ['tools/build-console.mjs', 'package-lock.json', 'apps/console/tsconfig.json'];
const TARGET = path.join(root, 'dist/console');

const LOW_PRIORITY = 10;
const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** @returns {Promise<boolean>} whether it was built; false if nothing has changed */
export async function buildConsole() {
  const state = await stateOfSources();
  const known = await fs.readFile(path.join(TARGET, 'state'), 'utf8').catch(() => null);
  if (known === state) return false;
  const draft = `${TARGET}.${process.pid}.tmp`;
  try {
    await bundle(draft);
    await compressAll(path.join(draft, 'assets'));
    await fs.writeFile(path.join(draft, 'state'), state);
    await replace(draft);
  } finally {
    await fs.rm(draft, { recursive: true, force: true });
  }
  return true;
}

/** Identifies the content of all sources. */
async function stateOfSources() {
  const listed = await Promise.all(SOURCES.map(filesUnder));
  const files = [...listed.flat(), ...INPUTS].sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\n`).update(await fs.readFile(path.join(root, file)));
  return hash.digest('hex');
}

async function filesUnder(folder) {
  const entries = await fs.readdir(path.join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !/\.spec\.ts$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

async function bundle(folder) {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [{ in: 'apps/console/src/main.tsx', out: 'console' }],
    outdir: path.join(folder, 'assets'),
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    tsconfig: 'apps/console/tsconfig.json',
    define: { 'process.env.NODE_ENV': '"production"' },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    logLevel: 'warning',
  });
  const outputs = Object.entries(metafile.outputs);
  const [script, { cssBundle, imports }] = outputs.find(([, { entryPoint }]) =>
    entryPoint?.endsWith('/main.tsx'),
  );
  const early = imports.filter(({ kind }) => kind === 'import-statement').map((one) => one.path);
  const address = (file) => `/console/assets/${path.basename(file)}`;
  const page = await fs.readFile(path.join(root, 'apps/console/src/index.html'), 'utf8');
  const scripts = [
    ...early.map((file) => `<link rel="modulepreload" href="${address(file)}" />`),
    `<script type="module" src="${address(script)}"></script>`,
  ];
  const styles = `<link rel="stylesheet" href="${address(cssBundle)}" />`;
  const written = page.replace('{{styles}}', styles).replace('{{scripts}}', scripts.join('\n    '));
  await fs.writeFile(path.join(folder, 'index.html'), written);
}

async function compressAll(folder) {
  for (const name of await fs.readdir(folder)) {
    const file = path.join(folder, name);
    const bytes = await fs.readFile(file);
    await fs.writeFile(`${file}.gz`, await compressGzip(bytes, { level: constants.Z_BEST_COMPRESSION }));
    await fs.writeFile(`${file}.br`, await compressBrotli(bytes));
  }
}

async function replace(draft) {
  const old = `${TARGET}.${process.pid}.old`;
  await fs.rename(TARGET, old).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await fs.rename(draft, TARGET);
  await fs.rm(old, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isBehind = process.argv.includes('--behind');
  // Beside a running service.
  if (isBehind) os.setPriority(LOW_PRIORITY);
  const started = performance.now();
  const built = await buildConsole();
  const ms = Math.round(performance.now() - started);
  if (built) console.log(`built the console in ${ms} ms`);
  // Below the banner of the service, only news is printed.
  else if (!isBehind) console.log('the console has not changed');
}
