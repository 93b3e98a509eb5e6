// `npm run sql`: compares all SQL of `*.sql.ts` and of `*.list.ts` with the migrated database. `npm test` does so too.
import { runJest } from './testing/jest-run.mjs';

const files = ['statements', 'list-statements'].map((name) => `apps/api/test/${name}.integration.spec.ts`);
const env = { ...process.env, TEST_KIND: 'integration' };
process.exitCode = await runJest('apps/api', { files, env, signal: new AbortController().signal });
