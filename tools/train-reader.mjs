// Trains the model that finds the fields of receipts, and reports its accuracy on unseen merchants.
//   node tools/train-reader.mjs FOLDER [--check] [--measure] [--unseen FILE] [--errors] [--generated COUNT] [--pages FOLDER]
// FOLDER contains documents/, truth/, transcripts/transcripts.jsonl and score.mjs, its scorer, which is used here too.
// Generated documents (tools/reader-training/generated) are trained on as well; COUNT is their number.
// --measure trains nothing, and reports the accuracy of the weights in the repository.
// --unseen FILE trains only what is needed to report the accuracy on unseen documents, and also writes it to the file.
// --check writes nothing, and exits with 1 if the weights in the repository differ.
// --errors lists the wrong and missing fields on unseen merchants and in generated documents.
// --pages caches the documents' pages in a folder, because recognising them takes minutes.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { confidenceBands, printConfidence } from './lib/confidence-table.mjs';
import { readGenerated } from './lib/generated-receipts.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const weightsFile = path.join(root, 'libs/receipt-reader/src/fields/weights.json');
const reader = path.join(root, 'dist/libs/receipt-reader/src');
const training = path.join(root, 'dist/tools/reader-training');
const require = createRequire(import.meta.url);

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean' },
    measure: { type: 'boolean' },
    unseen: { type: 'string' },
    errors: { type: 'boolean' },
    generated: { type: 'string', default: '200' },
    pages: { type: 'string' },
  },
});
const folder = positionals[0];
if (!folder) {
  console.error(
    'usage: node tools/train-reader.mjs FOLDER [--check] [--measure] [--unseen FILE] [--errors] [--generated COUNT] [--pages FOLDER]',
  );
  process.exit(2);
}

await build(['libs', 'tools/reader-training']);
const { ask, learn, partOf } = require(path.join(training, 'learn.js'));
const { lessonsOfTranscript, lessonOfDevelopment } = require(path.join(training, 'lessons.js'));
const { lessonOfGenerated } = require(path.join(training, 'generated/lessons-of-generated.js'));
const { lessonsOfNonReceipts } = require(path.join(training, 'non-receipts.js'));
const { readDocument } = require(path.join(reader, 'read-document.js'));
const { findFieldsWith } = require(path.join(reader, 'fields/find-fields.js'));
const scorer = await import(pathToFileURL(path.resolve(folder, 'score.mjs')).href);

/** All documents of the set are older. */
const TODAY = '2026-12-31';

const readJson = async (file) => JSON.parse(await fs.readFile(file, 'utf8'));

/** The documents of the development set, except those without pages. */
async function readDevelopment() {
  const names = (await fs.readdir(path.join(folder, 'truth')))
    .filter((name) => name.endsWith('.json'))
    .sort();
  const documents = [];
  for (const name of names) {
    const truth = await readJson(path.join(folder, 'truth', name));
    const { pages, source } = await pagesOf(truth, name);
    // E-invoices have no pages: their fields are read without the model.
    if (pages.length > 0) documents.push({ id: name.slice(0, -5), pages, source, kind: truth.kind, truth });
  }
  return documents;
}

async function pagesOf({ document }, name) {
  const kept = options.pages && path.join(options.pages, name);
  const known = kept && (await readJson(kept).catch(() => undefined));
  if (known) return known;
  const bytes = await fs.readFile(path.join(folder, 'documents', document));
  const { pages, reading } = await readDocument(bytes, { today: TODAY });
  const read = { pages, source: reading.source };
  if (kept) {
    await fs.mkdir(options.pages, { recursive: true });
    await fs.writeFile(kept, JSON.stringify(read));
  }
  return read;
}

async function readTranscripts() {
  const text = await fs.readFile(path.join(folder, 'transcripts/transcripts.jsonl'), 'utf8');
  return text.trim().split('\n').map(JSON.parse);
}

const foundIn = (document, modelOf) =>
  findFieldsWith(modelOf(document), document.pages, { source: document.source, today: TODAY });

/** Scores predictions with the set's scorer, which reads files. `kindOf` decides the rows of the table. */
async function scored(documents, modelOf, kindOf = ({ kind }) => kind) {
  const predictions = await fs.mkdtemp(path.join(os.tmpdir(), 'train-reader-'));
  const truths = path.join(predictions, 'truth');
  await fs.mkdir(truths);
  for (const document of documents) {
    const { fields } = foundIn(document, modelOf);
    await fs.writeFile(path.join(predictions, `${document.id}.json`), JSON.stringify(fields));
    await fs.writeFile(
      path.join(truths, `${document.id}.json`),
      JSON.stringify({ ...document.truth, kind: kindOf(document) }),
    );
  }
  const result = scorer.score(predictions, truths);
  await fs.rm(predictions, { recursive: true });
  return result;
}

const ratio = (one, other) => (one + other > 0 ? one / (one + other) : 0);
const f1 = ({ tp, fp, fn }) => (tp > 0 ? (2 * tp) / (2 * tp + fp + fn) : 0);
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
const fixed = (value) => value.toFixed(3).padStart(7);

const spoken = (counts) => scorer.FIELDS.filter((field) => counts[field].tp + counts[field].fn > 0);

const figuresOf = ({ all }) => ({
  macroF1: mean(spoken(all).map((field) => f1(all[field]))),
  totalPrecision: ratio(all.total.tp, all.total.fp),
});

function print(title, result) {
  console.log(`\n${title}`);
  console.log(
    `${''.padEnd(14)}${scorer.FIELDS.map((field) => field.slice(0, 9).padStart(10)).join('')}      mean`,
  );
  const row = (name, counts) =>
    console.log(
      name.padEnd(14) +
        scorer.FIELDS.map((field) =>
          (spoken(counts).includes(field) ? fixed(f1(counts[field])) : '-').padStart(10),
        ).join('') +
        fixed(mean(spoken(counts).map((field) => f1(counts[field])))).padStart(10),
    );
  for (const kind of Object.keys(result.kinds).sort()) row(kind, result.kinds[kind].c);
  row('all', result.all);
  const precision = scorer.FIELDS.map((field) =>
    fixed(ratio(result.all[field].tp, result.all[field].fp)).padStart(10),
  );
  console.log(`${'precision'.padEnd(14)}${precision.join('')}`);
}

const listErrors = ({ errors }) => {
  if (options.errors) for (const error of errors) console.log(JSON.stringify(error));
};

/** The group of generated documents whose errors are not listed, so that nobody writes rules for them. */
const SEALED = 3;

/** Prints the figures of generated documents by form, language, family and group, and returns those of all. */
async function printGenerated(title, modelOf) {
  const open = generated.filter(({ group }) => group !== SEALED);
  const sealed = generated.filter(({ group }) => group === SEALED);
  print(`${title}, by form`, await scored(open, modelOf, ({ form }) => form));
  print(`${title}, by language`, await scored(open, modelOf, ({ language }) => language));
  const all = await scored(generated, modelOf, ({ family }) => family);
  print(`${title}, by family`, all);
  print(`${title}, the sealed group`, await scored(sealed, modelOf, ({ form }) => form));
  listErrors(await scored(open, modelOf, ({ form, family, language }) => `${form} ${family} ${language}`));
  return all;
}

/** The values that the models give to documents, where the truth says whether they are right. */
const valuesGiven = (documents, modelOf) =>
  documents.flatMap((document) => {
    const { fields, confidence } = foundIn(document, modelOf);
    return scorer.FIELDS.filter((field) => field in fields && field in document.truth).map((field) => ({
      field,
      confidence: confidence[field],
      isRight: scorer.judge(field, fields[field], document.truth[field]) === 'tp',
    }));
  });

const transcripts = await readTranscripts();
const development = await readDevelopment();
const generated = await readGenerated(Number(options.generated), TODAY, options.pages);
const lessons = new Map(development.map((document) => [document, lessonOfDevelopment(document)]));

if (options.measure) {
  const current = await readJson(weightsFile);
  const own = await scored(development, () => current);
  print('The development set, with the weights of the repository (F1)', own);
  listErrors(own);
  await printGenerated('Generated documents, with the weights of the repository (F1)', () => current);
  process.exit(0);
}

/** Noisy copies and non-receipts do not influence the thresholds. */
const isCounted = (id) => !id.endsWith('~') && !nonReceipts.some((lesson) => lesson.id === id);

const nonReceipts = lessonsOfNonReceipts();
const asked = ask(
  [
    ...transcripts.flatMap(lessonsOfTranscript),
    ...development.map((document) => lessons.get(document)),
    ...generated.map(lessonOfGenerated),
    ...nonReceipts,
  ],
  scorer.judge,
);

function trainOn(...documents) {
  const chosen = new Set([...documents.flat(), ...nonReceipts].map(({ id }) => id));
  const questions = Object.entries(asked).map(([field, all]) => [
    field,
    all.filter(({ id }) => chosen.has(id.replace('~', ''))),
  ]);
  return learn(Object.fromEntries(questions), isCounted, scorer.judge);
}

const HALVES = 2;
const halfOf = (document) => partOf(lessons.get(document).merchant, HALVES);
const halfOfGenerated = ({ group }) => group % HALVES;
const strangers = transcripts.filter((transcript) => !transcript.merchantInDevelopment);
const halves = Array.from({ length: HALVES }, (_, half) =>
  trainOn(
    strangers,
    development.filter((document) => halfOf(document) !== half),
    generated.filter((document) => halfOfGenerated(document) !== half),
  ),
);
const unseen = await scored(development, (document) => halves[halfOf(document)]);
print('Merchants and templates not trained on (F1)', unseen);
listErrors(unseen);
const unseenGenerated = await printGenerated(
  'Generated documents of families, vendors and writers not trained on (F1)',
  (document) => halves[halfOfGenerated(document)],
);
const confidence = confidenceBands(
  [
    ...valuesGiven(development, (document) => halves[halfOf(document)]),
    ...valuesGiven(generated, (document) => halves[halfOfGenerated(document)]),
  ],
  scorer.FIELDS,
);
printConfidence('Right values of documents that the reader was not trained on', confidence);
if (options.unseen) {
  const figures = { development: figuresOf(unseen), generated: figuresOf(unseenGenerated), confidence };
  await fs.writeFile(options.unseen, JSON.stringify(figures));
  process.exit(0);
}

const model = trainOn(transcripts, development, generated);
print('All trained on (F1)', await scored(development, () => model));
print(
  'Generated documents, all trained on (F1)',
  await scored(
    generated,
    () => model,
    ({ form }) => form,
  ),
);
console.log(
  `\nthresholds ${JSON.stringify(Object.fromEntries(Object.entries(model).map(([field, { threshold }]) => [field, threshold])))}`,
);

const text = `${JSON.stringify(model, null, 2)}\n`;
if (options.check) {
  const same = (await fs.readFile(weightsFile, 'utf8').catch(() => '')) === text;
  console.log(
    same ? 'the weights are those in the repository' : 'the weights differ from those in the repository',
  );
  process.exit(same ? 0 : 1);
}
await fs.writeFile(weightsFile, text);
console.log(`wrote ${path.relative(root, weightsFile)}`);
process.exit(0);
