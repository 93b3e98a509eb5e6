// Joined code in dist/, each version in a folder of its own, because processes may start from one while another is written.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const DIST = path.join(root, 'dist');

/** Node options of the API, the same as in docker/. docs/operations.md gives the reason. */
export const API_FLAGS = ['--max-semi-space-size=32'];

/** A process reads a version only at its start, so one that was replaced is needed no longer than a start takes. */
const KEPT_MS = 600_000;

/** A folder in dist/ with the versions of some joined code. Its `index.js` loads the current one. */
export class VersionedCode {
  #folder;
  #loader;
  #exported;

  /**
   * @param {string} name of the folder
   * @param {{ loader: string, exported?: string }} options `loader` is a file in tools/lib, which comes into each version;
   *   `exported` is what the index exports of it, all if missing
   */
  constructor(name, { loader, exported }) {
    this.#folder = path.join(DIST, name);
    this.#loader = loader;
    this.#exported = exported === undefined ? '' : `.${exported}`;
  }

  get index() {
    return path.join(this.#folder, 'index.js');
  }

  /**
   * Names a version by these inputs, the tools that write and load it, and the version of Node that can use its cache.
   *
   * @param {{ files: string[], facts?: string }} inputs `files` are read, relative to the root
   */
  async versionOf({ files, facts = '' }) {
    const hash = createHash('sha256').update(`${process.version} ${process.arch} ${facts}`);
    const tools = ['versioned-code.mjs', ...this.#loaders].map((file) => `tools/lib/${file}`);
    for (const file of [...tools, ...files]) hash.update(await fs.readFile(path.join(root, file)));
    return hash.digest('hex').slice(0, 16);
  }

  async isCurrent(version) {
    return (await this.#readIndex()).endsWith(` // ${version}\n`);
  }

  /**
   * Writes code and its caches into a folder of its own: V8 would take an older cache for that of code of the same length.
   *
   * @param {{ name: string, code: string }} file the joined code, an expression
   * @param {(loader: string) => string} writeCache returns a program that loads the code and writes its cache
   * @returns {Promise<string>} the folder, for `publish`
   */
  async write({ name, code }, writeCache) {
    await fs.mkdir(this.#folder, { recursive: true });
    const folder = await fs.mkdtemp(path.join(this.#folder, 'of-'));
    await fs.chmod(folder, 0o755);
    for (const file of this.#loaders)
      await fs.copyFile(path.join(root, 'tools/lib', file), path.join(folder, file));
    await fs.writeFile(path.join(folder, name), inAscii(code));
    const program = writeCache(path.join(folder, this.#loader));
    await Promise.all([[], API_FLAGS].map((flags) => run([...flags, '-e', program])));
    return folder;
  }

  /** Has processes that start from now on load this version. */
  async publish(version, folder) {
    const [, replaced] = /'\.\/([^/']+)\//.exec(await this.#readIndex()) ?? [];
    const loader = `./${path.basename(folder)}/${this.#loader}`;
    await replace(this.index, `module.exports = require('${loader}')${this.#exported}; // ${version}\n`);
    const now = new Date();
    // Removed after a while, counted from now.
    if (replaced) await fs.utimes(path.join(this.#folder, replaced), now, now).catch(() => undefined);
    await this.#removeOthers(path.basename(folder));
  }

  /** Has processes load files one by one. */
  withdraw() {
    return fs.rm(this.index, { force: true });
  }

  get #loaders() {
    return ['cached-script.cjs', this.#loader];
  }

  #readIndex() {
    return fs.readFile(this.index, 'utf8').catch(() => '');
  }

  async #removeOthers(current) {
    const entries = await fs.readdir(this.#folder, { withFileTypes: true });
    const others = entries.filter((entry) => entry.isDirectory() && entry.name !== current);
    for (const { name } of others) {
      const folder = path.join(this.#folder, name);
      // Another process may remove it at the same time.
      const stats = await fs.stat(folder).catch(() => null);
      if (stats && Date.now() - stats.mtimeMs > KEPT_MS)
        await fs.rm(folder, { recursive: true, force: true });
    }
  }
}

/**
 * Several processes may build at once, while others start from dist/.
 *
 * @param {Date[]} [times] of the last access and modification
 */
export async function replace(target, content, times) {
  const draft = `${target}.${process.pid}.tmp`;
  await fs.writeFile(draft, content);
  if (times) await fs.utimes(draft, ...times);
  await fs.rename(draft, target);
}

/** In strings and regular expressions of JavaScript, and in templates that are not raw, an escape has the same meaning. */
const inAscii = (code) =>
  code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

async function run(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('the joined code could not be loaded');
}
