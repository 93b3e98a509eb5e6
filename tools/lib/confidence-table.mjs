// Compares the confidence of values that the reader gave with how many of them are right.

/** Where the bands of confidence begin. Callers may take values of the last one without a look at the document. */
const BANDS = [0, 0.8, 0.9, 0.95];

const nameOf = (index) => `${BANDS[index]} to ${BANDS[index + 1] ?? 1}`;

function bandOf(values, index) {
  const given = values.filter(
    ({ confidence }) => confidence >= BANDS[index] && confidence < (BANDS[index + 1] ?? Infinity),
  );
  const right = given.filter(({ isRight }) => isRight).length;
  return { count: given.length, share: given.length > 0 ? right / given.length : undefined };
}

/**
 * @param {{ field: string, confidence: number, isRight: boolean }[]} values
 * @param {string[]} fields
 * @returns {Record<string, { count: number, share: number | undefined }[]>} how many values each band of confidence has, and
 *   the share of them that are right, for each field and for `all`
 */
export function confidenceBands(values, fields) {
  const bandsOf = (given) => BANDS.map((_, index) => bandOf(given, index));
  const ofFields = fields.map((field) => [field, bandsOf(values.filter((value) => value.field === field))]);
  return Object.fromEntries([...ofFields, ['all', bandsOf(values)]]);
}

/** Prints a table of the bands, and a diagram of all fields for docs/extraction.md. */
export function printConfidence(title, bands) {
  console.log(`\n${title}\n${''.padEnd(16)}${BANDS.map((_, index) => nameOf(index).padStart(16)).join('')}`);
  const cellOf = ({ count, share }) => (share === undefined ? '-' : `${share.toFixed(3)} of ${count}`);
  for (const [field, ofField] of Object.entries(bands))
    console.log(field.padEnd(16) + ofField.map((band) => cellOf(band).padStart(16)).join(''));
  console.log(`
\`\`\`mermaid
xychart-beta
  title "${title}"
  x-axis "confidence" [${BANDS.map((_, index) => `"${nameOf(index)}"`).join(', ')}]
  y-axis "share of values that are right" 0 --> 1
  bar [${bands.all.map(({ share }) => (share ?? 0).toFixed(3)).join(', ')}]
\`\`\``);
}
