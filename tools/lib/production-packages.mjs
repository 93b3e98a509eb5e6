// The production packages in package-lock.json, for all platforms, installed or not.
import fs from 'node:fs';
import path from 'node:path';

const LICENCE_FILE = /^(licen[cs]e|copying|notice|third[-_]?party)/i;

/**
 * @param {string} folder with a package-lock.json and node_modules
 * @returns {{ name: string, version: string, licence: string, folder: string }[]} sorted by name and version, without duplicates
 */
export function productionPackages(folder) {
  const lock = JSON.parse(fs.readFileSync(path.join(folder, 'package-lock.json'), 'utf8'));
  const packages = new Map();
  for (const [place, entry] of Object.entries(lock.packages)) {
    if (!place.startsWith('node_modules/') || entry.dev || entry.link) continue;
    const name = entry.name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const found = { name, version: entry.version, licence: entry.license, folder: path.join(folder, place) };
    const key = `${name}@${entry.version}`;
    // Of several places of one version, prefer an installed one.
    if (!fs.existsSync(packages.get(key)?.folder ?? '')) packages.set(key, found);
  }
  return [...packages.values()].sort((one, other) =>
    compare(`${one.name}@${one.version}`, `${other.name}@${other.version}`),
  );
}

/** The licence and notice files of a package, sorted by name; none if it is not installed. */
export function licenceFiles({ folder }) {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name))
    .map(({ name }) => path.join(folder, name))
    .sort(compare);
}

/** Compares code units, so that the order does not depend on the locale. */
function compare(one, other) {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
