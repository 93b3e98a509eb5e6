// The packages that run in production, as package-lock.json names them: with those of every platform, installed or not.
import fs from 'node:fs';
import path from 'node:path';

const LICENCE_FILE = /^(licen[cs]e|copying|notice|third[-_]?party)/i;

/**
 * @param {string} folder with a package-lock.json and node_modules
 * @returns {{ name: string, version: string, licence: string, folder: string }[]} by name and version, each once
 */
export function productionPackages(folder) {
  const lock = JSON.parse(fs.readFileSync(path.join(folder, 'package-lock.json'), 'utf8'));
  const packages = new Map();
  for (const [place, entry] of Object.entries(lock.packages)) {
    if (!place.startsWith('node_modules/') || entry.dev || entry.link) continue;
    const name = entry.name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const found = { name, version: entry.version, licence: entry.license, folder: path.join(folder, place) };
    const key = `${name}@${entry.version}`;
    // Installed twice, one of the two places may be of a package that was left out.
    if (!fs.existsSync(packages.get(key)?.folder ?? '')) packages.set(key, found);
  }
  return [...packages.values()].sort((one, other) =>
    compare(`${one.name}@${one.version}`, `${other.name}@${other.version}`),
  );
}

/** The licence and notice files that a package brings, by name; none where it is not installed. */
export function licenceFiles({ folder }) {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name))
    .map(({ name }) => path.join(folder, name))
    .sort(compare);
}

/** The order of code units, which does not depend on the machine's language. */
function compare(one, other) {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
