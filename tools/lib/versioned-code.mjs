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

/** Processes read a version only when they start. */
const KEPT_MS = 3_600_000;

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
    return (await fs.readFile(this.index, 'utf8').catch(() => null)) === this.#indexOf(version);
  }

  /**
   * Writes a version and its caches. It is used as soon as it is published.
   *
   * @param {string} version
   * @param {{ name: string, code: string }} file the joined code, an expression
   * @param {(loader: string) => string} writeCache returns a program that loads the code and writes its cache
   */
  async write(version, { name, code }, writeCache) {
    const folder = path.join(this.#folder, version);
    await fs.mkdir(folder, { recursive: true });
    for (const file of this.#loaders)
      await replace(path.join(folder, file), await fs.readFile(path.join(root, 'tools/lib', file)));
    await replace(path.join(folder, name), inAscii(code));
    const program = writeCache(path.join(folder, this.#loader));
    await Promise.all([[], API_FLAGS].map((flags) => run([...flags, '-e', program])));
  }

  async publish(version) {
    await replace(this.index, this.#indexOf(version));
    await this.#removeOthers(version);
  }

  /** Has processes load files one by one. */
  withdraw() {
    return fs.rm(this.index, { force: true });
  }

  get #loaders() {
    return ['cached-script.cjs', this.#loader];
  }

  #indexOf(version) {
    return `module.exports = require('./${version}/${this.#loader}')${this.#exported};\n`;
  }

  /** Removes earlier versions, but no recent one. */
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

/** Several processes may build at once, while others start from dist/. */
export async function replace(target, content) {
  const draft = `${target}.${process.pid}.tmp`;
  await fs.writeFile(draft, content);
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
