// The samples of docs/generated-clients.md.

const SECTION = /^## (.+)$/m;
const CODE = /^```ts\n(.*?)^```$/ms;

/**
 * @param {string} page its Markdown
 * @param {string} title of a section
 * @returns {string} the TypeScript of the section
 */
export function sampleIn(page, title) {
  const parts = page.split(SECTION);
  const at = parts.findIndex((part, index) => index % 2 === 1 && part === title);
  const [, code] = (at > 0 && CODE.exec(parts[at + 1])) || [];
  if (code === undefined) throw new Error(`the page has no section "${title}" with a sample in TypeScript`);
  return code;
}
