// `npm run bench -- issuance feed`: the benches, which print figures and hold them to their bounds.
import { runNamed } from './testing/named-run.mjs';

await runNamed('bench', process.argv.slice(2));
