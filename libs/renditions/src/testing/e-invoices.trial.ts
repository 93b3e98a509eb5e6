import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Figures } from '@counterfoil/test-harness';
import { XmlEInvoiceWriter } from '../adapters/xml/xml-e-invoice-writer';
import { documentToEInvoice } from '../application/document-to-e-invoice';
import type { EInvoiceSyntax } from '../domain/rendition';
import { E_INVOICE_CASES } from './e-invoice-cases';

const SYNTAXES = ['ubl', 'cii'] as const;
const ACCEPTED = path.join(__dirname, 'accepted-e-invoices.json');
const ASSERTIONS_MIN = 800;

const writer = new XmlEInvoiceWriter();
const figures = new Figures();

/** The official rules are not part of the repository, because of their licence. */
function rulesOf(syntax: EInvoiceSyntax): string {
  const folder = process.env['EN16931_RULES'];
  if (!folder) throw new Error('EN16931_RULES is missing: it names a checkout of the validation artefacts');
  return path.join(folder, syntax, 'xslt', `EN16931-${syntax.toUpperCase()}-validation.xslt`);
}

/** The rules that each document breaks, those included that only warn. */
function brokenRules(rules: string, documents: readonly string[]): string[][] {
  const output = execFileSync(process.execPath, [path.join(__dirname, 'broken-rules.mjs'), rules], {
    encoding: 'utf8',
    input: JSON.stringify(documents),
    maxBuffer: 64 * 1024 * 1024,
  });
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as string[]);
}

function written(syntax: EInvoiceSyntax): string[] {
  return E_INVOICE_CASES.map(([name, document]) => {
    const invoice = documentToEInvoice(document, syntax);
    if (!invoice) throw new Error(`there is no e-invoice of the case ${name}`);
    return writer.write(invoice, syntax).toString();
  });
}

/** Returns the SHA-256 of the e-invoice of each case. */
function check(syntax: EInvoiceSyntax): Record<string, string> {
  const rules = rulesOf(syntax);
  const text = fs.readFileSync(rules, 'utf8');
  const version = /Schematron version ([\d.]+)/.exec(text)?.[1] ?? 'unknown';
  const documents = written(syntax);
  // One more, so that a check that finds nothing is noticed.
  const wrong = (documents[0] ?? '').replaceAll('>IL', '>??');
  const broken = brokenRules(rules, [...documents, wrong]);
  figures.heading(`${documents.length} e-invoices in ${syntax}, by the rules ${version}`);
  figures.add('assertions', text.split('<svrl:failed-assert ').length - 1, '', { atLeast: ASSERTIONS_MIN });
  for (const [index, [name]] of E_INVOICE_CASES.entries()) {
    figures.add(`${name}: rules broken`, broken[index]?.length ?? 1, '', { atMost: 0 });
    for (const rule of broken[index] ?? []) figures.note(rule);
  }
  figures.add('rules that wrong countries break', broken.at(-1)?.length ?? 0, '', { atLeast: 3 });
  const hashes = documents.map((xml) => createHash('sha256').update(xml).digest('hex'));
  return Object.fromEntries(E_INVOICE_CASES.map(([name], index) => [name, hashes[index] ?? '']));
}

it('makes e-invoices that the official rules of EN 16931 accept', () => {
  const sha256 = Object.fromEntries(SYNTAXES.map((syntax) => [syntax, check(syntax)]));
  expect(figures.broken).toEqual([]);
  // From now on the unit tests compare with these bytes.
  fs.writeFileSync(ACCEPTED, `${JSON.stringify(sha256, null, 2)}\n`);
}, 3_600_000);
