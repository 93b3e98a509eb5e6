// Joins the large packages into one file with a cache of its compiled code. A process would otherwise load 2,500 modules
// one by one, which takes most of its start. Programs in dist/ find the packages in dist/node_modules before those in
// node_modules. ADR 0048 gives the reasons.
import fs from 'node:fs/promises';
import Module from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DIST, replace, root, VersionedCode } from './lib/versioned-code.mjs';

const ENTRIES = path.join(DIST, 'node_modules');

const BUNDLE = new VersionedCode('packages', { loader: 'load-packages.cjs', exported: 'load' });

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
  ...['rate-limiter-flexible', 'reflect-metadata', 'rxjs', 'secure-json-parse', 'typeorm'],
];

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
  const version = await BUNDLE.versionOf({ files: ['package-lock.json', 'tools/bundle-packages.mjs'] });
  if (await BUNDLE.isCurrent(version)) return false;
  const code = Module.wrap((await joinPackages()).code);
  const folder = await BUNDLE.write({ name: 'bundle.js', code }, writeCacheOf);
  await Promise.all(PACKAGES.map(writeEntry));
  await removeOldEntries();
  await BUNDLE.publish(version, folder);
  return true;
}

const writeCacheOf = (loader) => `
  const { load, writeCache } = require(${JSON.stringify(loader)});
  ${JSON.stringify(PACKAGES)}.forEach(load);
  writeCache();`;

/** Replaces `__dirname` of a package, which would be the folder of the bundle, by the folder of its file. */
const keepFolders = {
  name: 'keep-folders',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.c?js$/ }, async ({ path: file }) => {
      const code = await fs.readFile(file, 'utf8');
      if (!code.includes('__dirname')) return undefined;
      const folder = path
        .relative(path.join(DIST, 'packages/version'), path.dirname(file))
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
  const folder = path.join(ENTRIES, name);
  const index = path.relative(folder, BUNDLE.index).split(path.sep).join('/');
  await fs.mkdir(folder, { recursive: true });
  await replace(path.join(folder, 'index.js'), `module.exports = require('${index}')('${name}');\n`);
}

/** Removes the entries of packages that are no longer in the bundle, so that they are found in node_modules. */
async function removeOldEntries() {
  const files = await fs.readdir(ENTRIES, { recursive: true });
  const isOld = (file) =>
    path.basename(file) === 'index.js' && !PACKAGES.includes(path.dirname(file).split(path.sep).join('/'));
  await Promise.all(files.filter(isOld).map((file) => fs.rm(path.join(ENTRIES, file), { force: true })));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const started = performance.now();
  const written = await bundlePackages();
  console.log(`${written ? 'bundled' : 'current'} in ${Math.round(performance.now() - started)} ms`);
}
