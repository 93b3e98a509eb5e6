// `npm run -s counterfoil -- …`: runs the command line of users from this clone. Without a login, it uses the service
// that `npm start` runs in this clone. Nothing but the command's own output goes to stdout.
import { createRequire } from 'node:module';
import path from 'node:path';
import { holderOf } from './lib/data-dir-lock.mjs';
import { DEMO_KEY, dataDir, keptDemoKey } from './lib/environment.mjs';
import { complain } from './lib/report.mjs';
import { build, install, INSTALLING, requireNode, root } from './lib/workspace.mjs';

const PROGRAM = path.join(root, 'dist/apps/cli/src/main.js');

function localService() {
  const address = holderOf(dataDir())?.address;
  if (!address) return {};
  return { COUNTERFOIL_LOCAL_URL: address, COUNTERFOIL_LOCAL_KEY: keptDemoKey() ?? DEMO_KEY };
}

async function counterfoil(args) {
  requireNode();
  await install({ announce: () => console.error(`packages: ${INSTALLING}`) });
  await build();
  // npm changes to the repository's root, but paths are relative to the caller's directory.
  if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
  Object.assign(process.env, localService());
  process.argv = [process.execPath, PROGRAM, ...args];
  process.setSourceMapsEnabled(true);
  // In this process, so that signals, the terminal and the exit code are the command's own.
  createRequire(import.meta.url)(PROGRAM);
}

await counterfoil(process.argv.slice(2)).catch((error) => {
  complain(error);
  process.exit(1);
});
