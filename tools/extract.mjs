// `npm run extract -- FILE…`: reads receipts as the worker does and prints the fields, without a database or service.
import fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Fault } from './lib/fault.mjs';
import { complain, say } from './lib/report.mjs';
import { build, install, INSTALLING, requireNode, root } from './lib/workspace.mjs';

const USAGE = 'usage: npm run extract -- [--json] FILE…   (--json prints one JSON line for each file)';
const TIMEOUT_MS = 60_000;
const NAME_WIDTH = 16;
const VALUE_WIDTH = 44;

async function extract(args) {
  const asJson = args.includes('--json');
  const files = args.filter((arg) => arg !== '--json');
  const unknown = files.find((file) => file.startsWith('-'));
  if (files.length === 0 || unknown) throw new Fault(USAGE);
  requireNode();
  await install({ announce: () => console.error(`packages: ${INSTALLING}`) });
  await build();
  const require = createRequire(import.meta.url);
  const { chooseSandbox, ReceiptProcesses } = require(
    path.join(root, 'dist/libs/receipt-reader/src/index.js'),
  );
  const { sandbox } = await chooseSandbox('auto');
  const processes = new ReceiptProcesses(TIMEOUT_MS, sandbox);
  let failures = 0;
  for (const file of files) {
    const told = await read(processes, file);
    if (!told.reading) failures += 1;
    for (const line of asJson ? [JSON.stringify(told)] : shown(told)) say(line);
  }
  processes.stop();
  return failures === 0 ? 0 : 1;
}

async function read(processes, file) {
  const today = new Date().toISOString().slice(0, 10);
  const started = performance.now();
  try {
    // npm changes to the repository's root, but the path is relative to the caller's directory.
    const bytes = await fs.readFile(path.resolve(process.env.INIT_CWD ?? '.', file));
    const document = { owner: 0, bytes, declaredKind: null, today, withText: false };
    const asText = await processes.read({ ...document, recognise: false });
    const answer =
      asText.kind === 'needs-recognition' ? await processes.read({ ...document, recognise: true }) : asText;
    const tookMs = Math.round(performance.now() - started);
    return answer.kind === 'read'
      ? { file, tookMs, reading: answer.reading }
      : { file, tookMs, problem: answer.reason ?? answer.kind, message: answer.message };
  } catch (error) {
    const tookMs = Math.round(performance.now() - started);
    if (error.part) return { file, tookMs, reading: error.part.reading };
    return { file, tookMs, problem: 'failed', message: error.message };
  }
}

function shown({ file, tookMs, reading, message }) {
  if (!reading) return [`${file}: ${message}`];
  const { fields, confidence, source, pages, pageCount = pages } = reading;
  const read = pages === pageCount ? pages : `${pages} of ${pageCount}`;
  const counted = pageCount === 1 ? '1 page' : `${read} pages`;
  const lines = Object.entries(fields).map(
    ([name, value]) =>
      `  ${name.padEnd(NAME_WIDTH)}${String(value).padEnd(VALUE_WIDTH)} ${confidence[name]?.toFixed(2) ?? ''}`,
  );
  return [
    `${file} (${source}, ${counted}, ${tookMs} ms)`,
    ...(lines.length > 0 ? lines : ['  nothing found']),
  ];
}

process.exit(
  await extract(process.argv.slice(2)).catch((error) => {
    complain(error);
    return 1;
  }),
);
