// Builds the last release, or another commit, for the trial `upgrade`. Prints its name and its commit as JSON.
//   node tools/testing/build-release.mjs FOLDER [COMMIT]
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gitIn, lastReleases } from '../lib/last-release.mjs';
import { root } from '../lib/workspace.mjs';

const git = gitIn(root);

/** @returns {{ name: string, commit: string }} */
function find(wanted) {
  const found = wanted ? { name: wanted, commit: wanted } : lastReleases(git)[0];
  const commit = found && git('rev-parse', '--verify', `${found.commit}^{commit}`)?.trim();
  if (!commit) throw new Error(`Git knows neither ${wanted ?? 'a release tag'} nor the fork from main`);
  return { name: found.name, commit };
}

/** Prints only errors, because standard output is the result. */
function run(command, args, cwd) {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

const packagesOf = (folder) =>
  JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).dependencies;

/** The packages of this checkout serve a release if it names none that is missing here or has another version. */
function fits(folder) {
  const here = packagesOf(root);
  return Object.entries(packagesOf(folder)).every(([name, version]) => here[name] === version);
}

function provide(folder, commit) {
  const archive = path.join(folder, 'release.tar');
  run('git', ['archive', '--output', archive, commit], root);
  run('tar', ['-xf', archive, '-C', folder], root);
  fs.rmSync(archive);
  if (fits(folder)) fs.symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  else run('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'], folder);
  run(process.execPath, ['tools/build.mjs'], folder);
}

const [target, wanted] = process.argv.slice(2);
const release = find(wanted);
provide(path.resolve(target), release.commit);
console.log(JSON.stringify(release));
