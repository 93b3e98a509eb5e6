// Removes binaries for other platforms from installed packages. npm leaves out packages for other platforms, but some
// packages contain the binaries of all of them: of onnxruntime-node, 240 MB of 290.
import fs from 'node:fs';
import path from 'node:path';

/** Packages that load `bin/napi-v<N>/<platform>/<architecture>`. */
const PACKAGES = ['onnxruntime-node'];
const NAPI = /^napi-v\d+$/;

/**
 * Removes nothing of a package that has no binaries for the platform.
 *
 * @param {string} modules a `node_modules` folder
 * @param {{ platform: string, arch: string }} loaded as in `process`
 * @returns {string[]} the removed folders
 */
export function removeForeignBinaries(modules, { platform, arch } = process) {
  return PACKAGES.map((name) => path.join(modules, name, 'bin'))
    .flatMap((folder) => foldersIn(folder, NAPI))
    .flatMap((folder) => removeOthers(folder, [platform, arch]));
}

/** Keeps the folder at this path, and removes the folders beside it and beside each of its parents. */
function removeOthers(folder, [name, ...below]) {
  if (!fs.existsSync(path.join(folder, name, ...below))) return [];
  const others = foldersIn(folder).filter((found) => path.basename(found) !== name);
  for (const other of others) fs.rmSync(other, { recursive: true });
  return below.length > 0 ? [...others, ...removeOthers(path.join(folder, name), below)] : others;
}

function foldersIn(folder, pattern = /./) {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && pattern.test(entry.name))
    .map(({ name }) => path.join(folder, name));
}
