// `npm run compat`: compares docs/openapi.json with that of the last release, and fails where a change breaks callers
// or receivers of events and CHANGELOG.md does not record it.
//   node tools/check-openapi.mjs [FOLDER]
// FOLDER is checked instead of the repository. Before the first release, the base is the commit where the branch left
// main.
import fs from 'node:fs';
import path from 'node:path';
import { root as repository } from './lib/workspace.mjs';
import { Fault } from './lib/fault.mjs';
import { gitIn, lastReleases } from './lib/last-release.mjs';
import { complain, say } from './lib/report.mjs';
import { breakingChanges } from './openapi/breaking-changes.mjs';
import { checkVersion, isRecorded, recordsIn } from './openapi/recorded-breaks.mjs';
import { grouped } from './openapi/grouped-breaks.mjs';

const DOCUMENT = 'docs/openapi.json';
const [root = repository] = process.argv.slice(2);

const git = gitIn(root);

/** @returns {{ name: string, commit: string } | undefined} the commit that the document is compared with */
function findBase() {
  return lastReleases(git).find(({ commit }) => git('cat-file', '-e', `${commit}:${DOCUMENT}`) !== undefined);
}

function check() {
  const base = findBase();
  if (!base) {
    return say(`${DOCUMENT} is compared with nothing: neither a release tag nor the fork from main has it`);
  }
  const before = (file) => git('show', `${base.commit}:${file}`) ?? '';
  const after = (file) => fs.readFileSync(path.join(root, file), 'utf8');
  const breaks = breakingChanges(JSON.parse(before(DOCUMENT)), JSON.parse(after(DOCUMENT)));
  if (breaks.length === 0) return say(`no change of ${DOCUMENT} since ${base.name} breaks callers`);
  const records = recordsIn(after('CHANGELOG.md'), before('CHANGELOG.md'));
  const open = grouped(breaks.filter((one) => !isRecorded(one, records)));
  if (open.length > 0) {
    throw new Fault(
      `${DOCUMENT} breaks callers, compared with ${base.name}:`,
      ...open.map((line) => `  ${line}`),
      'Change it so that it does not. If the break is intended, record it in CHANGELOG.md, under "Changed" or "Removed",',
      'with the operation, the event or the schema in backticks: - **Breaking**: `POST /…` requires …',
    );
  }
  checkVersion(before('package.json'), after('package.json'));
  say(`all breaking changes of ${DOCUMENT} since ${base.name} are recorded in CHANGELOG.md`);
}

try {
  check();
} catch (error) {
  complain(error);
  process.exitCode = 1;
}
