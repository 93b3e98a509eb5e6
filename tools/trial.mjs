// `npm run trial -- feed issuance`: runs trials, which inject many faults.
import { runNamed } from './testing/named-run.mjs';

await runNamed('trial', process.argv.slice(2));
