// `npm run test:file -- FILE [OPTIONS OF JEST]`: runs one test file of any kind, with the configuration of its project,
// compiled code for end-to-end tests and a temporary PostgreSQL. The debug configuration "Current test file" uses it.
//   npm run test:file -- libs/documents/src/domain/totals.spec.ts -t rounds
import fs from 'node:fs';
import path from 'node:path';
import { Fault } from './lib/fault.mjs';
import { complain } from './lib/report.mjs';
import { Shutdown } from './lib/shutdown.mjs';
import { build, install, root } from './lib/workspace.mjs';
import { kindOf, projectOf, runJest } from './testing/jest-run.mjs';

/** Kinds of test that start compiled processes. */
const BUILT_FIRST = ['e2e', 'timed', 'trial', 'bench'];

async function run([file, ...options], { signal }) {
  if (!file || file.startsWith('-')) throw new Fault('usage: npm run test:file -- FILE [OPTIONS OF JEST]');
  const project = projectOf(file);
  if (!fs.existsSync(path.resolve(root, file))) throw new Fault(`there is no ${file}`);
  if (!fs.existsSync(path.join(root, project, 'jest.config.js')))
    throw new Fault(`${file} belongs to no project with tests: ${project} has no jest.config.js`);
  await install({ dev: true, signal });
  const kind = kindOf(file);
  if (BUILT_FIRST.includes(kind)) await build();
  return runJest(project, { files: [file], options, env: { ...process.env, TEST_KIND: kind }, signal });
}

const shutdown = new Shutdown();
shutdown.listen();
const code = await run(process.argv.slice(2), shutdown).catch((error) => shutdown.request(error));
await shutdown.run();
if (shutdown.fault) complain(shutdown.fault);
process.exit(shutdown.fault || shutdown.failed ? 1 : (code ?? 1));
