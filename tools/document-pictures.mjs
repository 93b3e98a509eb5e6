// `npm run document-pictures [FOLDER]`: renders the sample documents, and writes the pictures with which tests compare them, and
// those of docs/documents.md. Look at each before you commit it. With FOLDER, also writes the PDFs there.
import fs from 'node:fs';
import path from 'node:path';
import { complain } from './lib/report.mjs';
import { root, runCommand } from './lib/workspace.mjs';

const TEST = 'libs/renditions/src/adapters/typst/approved-pictures.spec.ts';
const [folder] = process.argv.slice(2);

try {
  for (const target of ['libs/renditions/src/testing/approved', 'docs/pictures', ...(folder ? [folder] : [])])
    fs.mkdirSync(path.resolve(root, target), { recursive: true });
  const env = { ...process.env, APPROVE_PICTURES: folder ? path.resolve(root, folder) : 'yes' };
  await runCommand(process.execPath, ['tools/test-file.mjs', TEST], { what: 'the rendering', env });
} catch (error) {
  complain(error);
  process.exitCode = 1;
}
