// node broken-rules.mjs RULES < DOCUMENTS: reads a JSON array of XML texts, and prints one JSON line for each: the rules
// that it breaks. RULES is a Schematron file that is compiled to XSLT.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import saxon from 'saxon-js';

const FINDING =
  /<svrl:(?:failed-assert|successful-report)\b[^>]*?\sid="([^"]*)"[\s\S]*?<svrl:text>([\s\S]*?)<\/svrl:text>/g;

const [rules] = process.argv.slice(2);
const stylesheetInternal = compiled(rules);
for (const sourceText of JSON.parse(await text(process.stdin))) {
  const options = { stylesheetInternal, sourceText, destination: 'serialized' };
  const { principalResult: report } = saxon.transform(options);
  if (!report.includes('<svrl:fired-rule')) throw new Error('no rule applies to the document');
  const broken = [...report.matchAll(FINDING)].map(([, id, why]) => `${id}: ${why.trim()}`);
  console.log(JSON.stringify(broken));
}

function compiled(stylesheet) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-rules-'));
  try {
    const program = createRequire(import.meta.url).resolve('xslt3/xslt3.js');
    const output = path.join(folder, 'rules.sef.json');
    execFileSync(process.execPath, [program, '-t', `-xsl:${stylesheet}`, `-export:${output}`, '-nogo'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return JSON.parse(fs.readFileSync(output, 'utf8'));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
