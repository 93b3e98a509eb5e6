// `npm run licences`: fails when a package that runs in production has a licence that is not allowed. Needs no network.
import { productionPackages } from './lib/production-packages.mjs';
import { say } from './lib/report.mjs';
import { root } from './lib/workspace.mjs';

/** These only require their text and the names of the authors to be included, which `npm run notices` does. */
const ALLOWED = new Set([
  ...[
    '0BSD',
    'Apache-2.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'BlueOak-1.0.0',
    'CC0-1.0',
    'ISC',
    'MIT',
    'MIT-0',
    'Unlicense',
  ],
  ...['Python-2.0', 'PSF-2.0'],
]);

const FONTS = 'fonts: they may be embedded in any document, and are not sold by themselves';
const LIBVIPS = 'libvips: a shared library beside ours that anybody can replace, unchanged';
/** Packages that may have another licence, each with the reason. */
const EXCEPTIONS = [
  { name: /^@expo-google-fonts\/noto-sans/, licence: 'OFL-1.1', reason: FONTS },
  { name: /^@img\/sharp-/, licence: 'LGPL-3.0-or-later', reason: LIBVIPS },
  {
    name: /^libheif-js$/,
    licence: 'LGPL-3.0',
    reason: 'libheif: a module of its own that anybody can replace, unchanged',
  },
];

const packages = productionPackages(process.argv[2] ?? root);
const refused = packages.filter((one) => !isAllowed(one, one.licence));
for (const { name, version, licence } of refused) {
  console.error(`${name}@${version}: the licence ${licence ?? '(none)'} is not allowed (tools/licences.mjs)`);
}
if (refused.length === 0) say(`${packages.length} packages of production, all under allowed licences`);
process.exitCode = refused.length === 0 ? 0 : 1;

/** Evaluates an SPDX expression: one part of `OR` must be allowed, and all parts of `AND`. */
function isAllowed(one, expression) {
  if (typeof expression !== 'string') return false;
  const text = expression.trim().replace(/^\(([^()]*)\)$/, '$1');
  // A nested expression needs a person's decision: an exception, or an allowed licence.
  if (/[()]/.test(text)) return false;
  return text
    .split(/\s+OR\s+/)
    .some((part) => part.split(/\s+AND\s+/).every((licence) => isLicenceAllowed(one, licence)));
}

function isLicenceAllowed({ name }, licence) {
  if (ALLOWED.has(licence)) return true;
  return EXCEPTIONS.some((exception) => exception.licence === licence && exception.name.test(name));
}
