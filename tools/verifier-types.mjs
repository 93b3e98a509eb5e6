// `npm run types:verifier`: generates the types of the webhook verifier from the definitions of the events.
import fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const compiled = path.join(root, 'dist/libs/event-catalogue/src');
const require = createRequire(import.meta.url);

await build(['libs']);
const { EVENT_CATALOGUE } = require(path.join(compiled, 'index.js'));
const { verifierTypes } = require(path.join(compiled, 'testing/verifier-types.js'));
await fs.writeFile(
  path.join(root, 'libs/webhook-verifier/src/event-types.ts'),
  verifierTypes(EVENT_CATALOGUE),
);
