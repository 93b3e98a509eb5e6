import fs from 'node:fs';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Half as long as `axe.source`, and quicker to read. */
const AXE = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const isAny = () => true;
const isSerious = (impact: axe.ImpactValue | undefined): boolean =>
  impact === 'serious' || impact === 'critical';

/** Returns the rules of axe that a page breaks, each with an element. A document has axe until another one is loaded. */
export async function violationsOn(page: Page, counts: typeof isSerious = isAny): Promise<string[]> {
  // Evaluated, because the policy of a page refuses another script.
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(AXE);
  // Chosen in the page, because the whole result is large, and Playwright checks each of its values.
  const violations = await page.evaluate(async () => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    const { violations: all } = await run({ resultTypes: ['violations'] });
    return all.map(({ id, impact, nodes }) => ({ impact, text: `${id}: ${nodes[0]?.html}` }));
  });
  return violations.filter(({ impact }) => counts(impact)).map(({ text }) => text);
}

/** Returns the rules whose violation keeps people from using a page. */
export const seriousViolationsOn = (page: Page): Promise<string[]> => violationsOn(page, isSerious);
