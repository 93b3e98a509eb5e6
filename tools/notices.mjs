// `npm run notices`: writes release/NOTICES.txt, the licence and notice texts of all production packages. Needs no network.
import fs from 'node:fs';
import path from 'node:path';
import { licenceFiles, productionPackages } from './lib/production-packages.mjs';
import { say, shown } from './lib/report.mjs';
import { root } from './lib/workspace.mjs';

const [folder = root, file = path.join(root, 'release/NOTICES.txt')] = process.argv.slice(2);
const packages = productionPackages(folder);
const RULE = '='.repeat(80);

const written = packages.map((one) => [RULE, heading(one), RULE, '', textOf(one), ''].join('\n'));
fs.mkdirSync(path.dirname(file), { recursive: true });
fs.writeFileSync(file, `${written.join('\n')}`);
say(`${packages.length} packages in ${shown(file)}`);

function heading({ name, version, licence }) {
  return `${name} ${version} (${licence})`;
}

function textOf(one) {
  const own = licenceFiles(one);
  if (own.length > 0) return own.map(read).join('\n\n');
  if (!fs.existsSync(one.folder)) return 'For another platform: its text comes with the package.';
  const { author, contributors, repository, homepage } = JSON.parse(
    read(path.join(one.folder, 'package.json')),
  );
  const origin = typeof repository === 'string' ? repository : (repository?.url ?? homepage ?? '');
  const people = [author, ...(contributors ?? [])].map(nameOf).filter((name) => name !== '');
  const by = `Copyright (c) ${people.join(', ') || `the authors of ${one.name}`}`;
  return [by, origin, 'The package brings no text of its licence. The text of its kind:', '', standard(one)]
    .filter((line, at) => line !== '' || at > 1)
    .join('\n');
}

function nameOf(person) {
  return typeof person === 'string' ? person : (person?.name ?? '');
}

/** The generic text of a licence: copied from a package that includes it, without the line that names the owner. */
function standard({ name, licence }) {
  const parts = licence.split(/ AND /);
  return parts
    .map((part) => {
      const lender = packages.find(
        (other) => isAlike(other.licence, part) && licenceFiles(other).length === 1,
      );
      if (!lender) throw new Error(`${name}: no package under ${part} brings its text`);
      return read(licenceFiles(lender)[0]).replace(/^.*copyright (\(c\)|©|\d{4}).*\n/gim, '');
    })
    .join('\n\n');
}

/** `LGPL-3.0` and `LGPL-3.0-or-later` have the same text. */
function isAlike(one, other) {
  return bare(one) === bare(other);
}

function bare(licence) {
  return licence.replace(/-(only|or-later)$/, '');
}

function read(file) {
  return fs.readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim();
}
