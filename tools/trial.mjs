// `npm run trial -- feed issuance`: the trials, which break things on purpose, many times over.
import { runNamed } from './testing/named-run.mjs';

await runNamed('trial', process.argv.slice(2));
