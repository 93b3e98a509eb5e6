// `npm run bench -- issuance feed`: runs benches, which print figures and compare them with bounds.
import { runNamed } from './testing/named-run.mjs';

await runNamed('bench', process.argv.slice(2));
