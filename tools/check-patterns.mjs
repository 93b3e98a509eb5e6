// Part of `npm run lint`: every regular expression of production code in apps/ and libs/ must match in linear time, since
// it may be applied to untrusted text. That includes those which `match`, `matchAll` and `search` compile from a string.
// `recheck` decides; the exceptions are in patterns/justified.mjs.
//   node tools/check-patterns.mjs [FOLDER]
// FOLDER is checked instead of the repository, without the cache.
// The limits of a search are counts of characters, not times, and the seed is fixed, so that the verdicts do not depend
// on the machine. They are cached in node_modules/.cache by pattern and version of recheck.
import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { patternsIn } from './patterns/collect-patterns.mjs';
import { implicitPatternsIn } from './patterns/implicit-patterns.mjs';
import { JUSTIFIED } from './patterns/justified.mjs';
import { problemsOf } from './patterns/judge-patterns.mjs';

const require = createRequire(import.meta.url);
const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const [root = repository] = process.argv.slice(2);
const cacheFile = root === repository ? path.join(root, 'node_modules/.cache/patterns.json') : null;
const NOT_IN_PRODUCTION =
  /\.(spec|bench|trial|contract|d)\.ts$|[\\/]testing[\\/]|^libs[\\/]test-harness[\\/]/;
const LIMITS = { attackTimeout: null, incubationTimeout: null, randomSeed: 0 };
/**
 * Only guards against a pattern that recheck cannot decide. It is far longer than any other needs, also where the check
 * runs at idle priority beside tests.
 */
const TIMEOUT_MS = 1_800_000;
const CHECKED_AT_ONCE = 2;

async function sources() {
  const found = [];
  for (const folder of ['apps', 'libs']) {
    const entries = await fs.readdir(path.join(root, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const file = path.relative(root, path.join(entry.parentPath, entry.name));
      const isSource = /^[^\\/]+[\\/][^\\/]+[\\/]src[\\/].*\.ts$/.test(file);
      if (entry.isFile() && isSource && !NOT_IN_PRODUCTION.test(file)) found.push(file);
    }
  }
  return found.sort();
}

async function collect() {
  const files = [];
  for (const file of await sources())
    files.push({ file, text: await fs.readFile(path.join(root, file), 'utf8') });
  const explicit = files.flatMap(({ file, text }) =>
    patternsIn(file, text).map((pattern) => ({ ...pattern, file })),
  );
  const implicit = implicitPatternsIn(root, files, path.join(repository, 'tsconfig.base.json'));
  return [...explicit, ...implicit].map((found) => ({ ...found, file: found.file.replaceAll('\\', '/') }));
}

const { version } = require('recheck/package.json');
const keyOf = ({ source, flags }) =>
  createHash('sha256')
    .update(JSON.stringify([version, LIMITS, source, flags]))
    .digest('hex');

async function readCache() {
  try {
    return cacheFile === null ? {} : JSON.parse(await fs.readFile(cacheFile, 'utf8'));
  } catch {
    return {};
  }
}

/** Atomic, because several checks may run at once. */
async function writeCache(verdicts) {
  await fs.mkdir(path.dirname(cacheFile), { recursive: true });
  const written = `${cacheFile}.${process.pid}`;
  await fs.writeFile(written, JSON.stringify(verdicts));
  await fs.rename(written, cacheFile);
}

/** Checks the patterns that are not cached; each verdict is `safe` or recheck's description of the problem. */
async function judge(patterns) {
  const { check } = require('recheck');
  const known = await readCache();
  const verdicts = {};
  const waiting = new Map();
  for (const pattern of patterns) {
    const key = keyOf(pattern);
    if (key in known) verdicts[key] = known[key];
    else waiting.set(key, pattern);
  }
  const work = [...waiting];
  const undecided = {};
  const judgeNext = async () => {
    for (let next = work.pop(); next; next = work.pop()) {
      const [key, { source, flags }] = next;
      const { status, complexity, error } = await check(source, flags, { ...LIMITS, timeout: TIMEOUT_MS });
      if (status === 'unknown') undecided[key] = `not decided (${error?.kind})`;
      else verdicts[key] = status === 'safe' ? 'safe' : complexity.summary;
    }
  };
  await Promise.all(Array.from({ length: CHECKED_AT_ONCE }, judgeNext));
  if (cacheFile !== null) await writeCache(verdicts);
  return (pattern) => verdicts[keyOf(pattern)] ?? undecided[keyOf(pattern)];
}

const patterns = await collect();
const verdictOf = await judge(patterns.filter(({ source }) => source !== null));
const problems = problemsOf(patterns, verdictOf, JUSTIFIED);
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
