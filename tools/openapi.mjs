// `npm run openapi`: writes docs/openapi.json anew, from the controllers. The API serves it. It needs no database.
import fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build, root } from './lib/workspace.mjs';

const require = createRequire(import.meta.url);
const api = path.join(root, 'dist/apps/api/src/openapi');

await build();
require('reflect-metadata');
const { committedOpenApi } = require(path.join(api, 'committed-openapi.js'));
await fs.writeFile(path.join(root, 'docs/openapi.json'), await committedOpenApi());
