// `npm run openapi:postman`: makes the Postman collection of docs/openapi.json, and sends every request of it to a service
// that it starts.
import { spawnSync } from 'node:child_process';
import { complain } from './lib/report.mjs';
import { root } from './lib/workspace.mjs';
import { installPackages } from './openapi-clients/packages.mjs';

const TRIAL = 'apps/api/test/trials/postman.trial.ts';

try {
  if (await installPackages()) {
    const run = spawnSync(process.execPath, ['tools/test-file.mjs', TRIAL], { cwd: root, stdio: 'inherit' });
    process.exitCode = run.status ?? 1;
  }
} catch (error) {
  complain(error);
  process.exitCode = 1;
}
