// `npm run trial` and `npm run bench`: runs all files of one kind, or the named ones: the trial `feed` is
// apps/api/test/trials/feed.trial.ts.
import fs from 'node:fs';
import path from 'node:path';
import { Fault } from '../lib/fault.mjs';
import { complain, say, seconds } from '../lib/report.mjs';
import { Shutdown } from '../lib/shutdown.mjs';
import { root } from '../lib/workspace.mjs';
import { projectOf, runJest } from './jest-run.mjs';
import { prepareRun } from './prepared-run.mjs';

/**
 * Runs the files and exits, with 1 if a bound was exceeded or anything else failed.
 *
 * @param {'trial' | 'bench'} kind
 * @param {string[]} args names, none of which means all; from the first option on, options of Jest, such as `-t keys`
 */
export async function runNamed(kind, args) {
  const first = args.findIndex((arg) => arg.startsWith('-'));
  const names = first < 0 ? args : args.slice(0, first);
  const options = first < 0 ? [] : args.slice(first);
  const shutdown = new Shutdown();
  shutdown.listen();
  const started = performance.now();
  const code = await run({ kind, names, options, shutdown }).catch((error) => shutdown.request(error));
  await shutdown.run();
  if (shutdown.fault) complain(shutdown.fault);
  else say(`took ${seconds(started)}`);
  process.exit(shutdown.fault || shutdown.failed ? 1 : (code ?? 1));
}

async function run({ kind, names, options, shutdown }) {
  const chosen = choose(kind, names);
  const env = { ...(await prepareRun(shutdown)), TEST_KIND: kind };
  let code = 0;
  for (const [project, files] of chosen) {
    shutdown.signal.throwIfAborted();
    code = (await runJest(project, { files, options, env, signal: shutdown.signal })) || code;
  }
  return code;
}

/** @returns {Map<string, string[]>} the files by project folder */
function choose(kind, names) {
  const all = filesOf(kind);
  const known = [...all.keys()].sort();
  const unknown = names.filter((name) => !all.has(name));
  if (unknown.length > 0) {
    throw new Fault(`there is no ${kind} ${unknown.join(', ')}: choose from ${known.join(', ')}`);
  }
  const files = (names.length > 0 ? [...new Set(names)] : known).map((name) => all.get(name));
  const byProject = new Map();
  for (const file of files) byProject.set(projectOf(file), [...(byProject.get(projectOf(file)) ?? []), file]);
  return byProject;
}

function filesOf(kind) {
  const ending = `.${kind}.ts`;
  const found = ['apps', 'libs'].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true })
      .filter((file) => file.endsWith(ending))
      .map((file) => path.join(root, folder, file)),
  );
  return new Map(found.map((file) => [path.basename(file, ending), file]));
}
