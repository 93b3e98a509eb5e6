// Removes binaries for other platforms from node_modules, as `npm start` does after it has installed packages.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeForeignBinaries } from './lib/foreign-binaries.mjs';

removeForeignBinaries(path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../node_modules'));
