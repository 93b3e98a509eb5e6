// Joins the large packages into one file with a cache of its compiled code. A process would otherwise load 2,500 modules
// one by one, which takes most of its start. Programs in dist/ find the packages in dist/node_modules before those in
// node_modules. ADR 0048 gives the reasons.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const DIST = path.join(root, 'dist');
const FOLDER = path.join(DIST, 'packages');

/** Names as programs import them. Small packages, and those that only a reader process loads, do not matter. */
export const PACKAGES = [
  ...['@nestjs/common', '@nestjs/common/constants', '@nestjs/common/enums/route-paramtypes.enum'],
  ...['@nestjs/core', '@nestjs/platform-fastify', '@nestjs/platform-fastify/constants'],
  ...[
    '@nestjs/swagger',
    '@nestjs/typeorm',
    '@opentelemetry/api',
    'bullmq',
    'class-transformer',
    'class-validator',
    'cookie',
    'fastify',
  ],
  ...['find-my-way', 'ioredis', 'ipaddr.js', 'markdown-it', 'nodemailer/lib/mail-composer'],
  ...['nodemailer/lib/smtp-connection', 'pg', 'pino', 'pino-pretty', 'prom-client'],
  ...['rate-limiter-flexible', 'reflect-metadata', 'rxjs', 'secure-json-parse', 'typeorm', 'yaml'],
];

/** Node options of the API, the same as in docker/. docs/operations.md gives the reason. */
export const API_FLAGS = ['--max-semi-space-size=32'];

/** Loaded only if they are installed, or if a feature that is not in use asks for them. */
const OPTIONAL = [
  ...['@fastify/static', '@fastify/view', '@nestjs/microservices', '@nestjs/platform-express'],
  ...['@nestjs/platform-socket.io', '@nestjs/websockets', 'class-transformer/storage', 'msgpackr-extract'],
  'pg-native',
];

/**
 * Writes the bundle to dist/packages, unless it is current.
 *
 * @returns {Promise<boolean>} whether it was written
 */
export async function bundlePackages() {
  const version = await currentVersion();
  const index = path.join(FOLDER, 'index.js');
  const content = `module.exports = require('./${version}/load-packages.cjs').load;\n`;
  if ((await fs.readFile(index, 'utf8').catch(() => null)) === content) return false;
  const folder = path.join(FOLDER, version);
  await fs.mkdir(folder, { recursive: true });
  await replace(path.join(folder, path.basename(LOADER)), await fs.readFile(LOADER));
  await replace(path.join(folder, 'bundle.js'), (await joinPackages()).code);
  const loader = path.join(folder, path.basename(LOADER));
  await Promise.all([[], API_FLAGS].map((flags) => run([...flags, '-e', WRITE_CACHE, loader, ...PACKAGES])));
  await Promise.all(PACKAGES.map(writeEntry));
  await replace(index, content);
  await removeOld(version);
  return true;
}

const DAY_MS = 86_400_000;

/** Removes earlier bundles, but no recent one: programs that were started from it may still load parts of it. */
async function removeOld(current) {
  const entries = await fs.readdir(FOLDER, { withFileTypes: true });
  const others = entries.filter((entry) => entry.isDirectory() && entry.name !== current);
  for (const { name } of others) {
    const folder = path.join(FOLDER, name);
    // Another process may remove it at the same time.
    const stats = await fs.stat(folder).catch(() => null);
    if (stats && Date.now() - stats.mtimeMs > DAY_MS) await fs.rm(folder, { recursive: true, force: true });
  }
}

const LOADER = path.join(root, 'tools/lib/load-packages.cjs');
const WRITE_CACHE = `const [loader, ...names] = process.argv.slice(1);
  const { load, writeCache } = require(loader);
  names.forEach(load);
  writeCache();`;

/** Names the packages' versions, this tool, and the version of Node that can use the cache. */
async function currentVersion() {
  const inputs = ['package-lock.json', 'tools/bundle-packages.mjs', 'tools/lib/load-packages.cjs'];
  const hash = createHash('sha256').update(`${process.version} ${process.arch}`);
  for (const file of inputs) hash.update(await fs.readFile(path.join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Replaces `__dirname` of a package, which would be the folder of the bundle, by the folder of its file. */
const keepFolders = {
  name: 'keep-folders',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.c?js$/ }, async ({ path: file }) => {
      const code = await fs.readFile(file, 'utf8');
      if (!code.includes('__dirname')) return undefined;
      const folder = path
        .relative(path.join(FOLDER, 'version'), path.dirname(file))
        .split(path.sep)
        .join('/');
      return {
        contents: code.replaceAll(/\b__dirname\b/g, `require('node:path').join(__dirname, '${folder}')`),
      };
    });
  },
};

/** @returns {Promise<{ code: string, files: string[] }>} the bundle, and the files in it relative to the root */
export async function joinPackages() {
  const { build } = await import('esbuild');
  const entries = PACKAGES.map((name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(name)})`);
  const { outputFiles, metafile } = await build({
    stdin: { contents: `module.exports = { ${entries.join(',\n')} };`, resolveDir: root },
    write: false,
    metafile: true,
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node20',
    // NestJS finds providers by the names of their classes, some of which esbuild changes.
    keepNames: true,
    legalComments: 'none',
    external: OPTIONAL,
    plugins: [keepFolders],
    logLevel: 'error',
  });
  return { code: nameOnlyChanged(outputFiles[0].text), files: Object.keys(metafile.inputs) };
}

/** A call of esbuild's helper behind the declaration of a function that has the name already. */
const NAMES_AGAIN = /^ *__name\(([a-z][\w$]*), "\1"\);\n/gm;

/** Has esbuild's helper define only names that differ, because functions are also created while requests are handled. */
function nameOnlyChanged(code) {
  const defines = 'var __name = (target, value) => ';
  if (!code.includes(defines) || code.search(NAMES_AGAIN) < 0)
    throw new Error('esbuild defines names in another way');
  return code.replaceAll(NAMES_AGAIN, '').replace(defines, `${defines}target.name === value ? target : `);
}

/** The file that `require(name)` in dist/ finds. */
async function writeEntry(name) {
  const folder = path.join(DIST, 'node_modules', name);
  const index = path.relative(folder, path.join(FOLDER, 'index.js')).split(path.sep).join('/');
  await fs.mkdir(folder, { recursive: true });
  await replace(path.join(folder, 'index.js'), `module.exports = require('${index}')('${name}');\n`);
}

/** Several processes may build at once, while others start from dist/. */
async function replace(target, content) {
  const draft = `${target}.${process.pid}.tmp`;
  await fs.writeFile(draft, content);
  await fs.rename(draft, target);
}

async function run(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('the bundle of packages could not be loaded');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const started = performance.now();
  const written = await bundlePackages();
  console.log(`${written ? 'bundled' : 'current'} in ${Math.round(performance.now() - started)} ms`);
}
