// `npm run console-pictures`: writes the pictures of docs/console.md. Look at each before you commit it.
import { complain } from './lib/report.mjs';
import { runCommand } from './lib/workspace.mjs';

const TEST = 'apps/console/test/pictures.console.e2e.spec.ts';

try {
  const env = { ...process.env, CONSOLE_PICTURES: '1' };
  await runCommand(process.execPath, ['tools/test-file.mjs', TEST], { what: 'taking the pictures', env });
} catch (error) {
  complain(error);
  process.exitCode = 1;
}
