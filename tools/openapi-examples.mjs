// `npm run openapi:examples`: records the examples of the description anew, from a running service, and writes
// docs/openapi.json with them.
import { runCommand } from './lib/workspace.mjs';
import { complain } from './lib/report.mjs';

const TEST = 'apps/api/test/openapi-examples.e2e.spec.ts';

try {
  const env = { ...process.env, RECORD_EXAMPLES: 'yes' };
  await runCommand(process.execPath, ['tools/test-file.mjs', TEST], { what: 'the recording', env });
  await runCommand(process.execPath, ['tools/openapi.mjs'], { what: 'npm run openapi' });
} catch (error) {
  complain(error);
  process.exitCode = 1;
}
