import fs from 'node:fs';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Half as long as `axe.source`, and quicker to read. */
const AXE = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A rule of axe that a page breaks. */
export interface Violation {
  readonly rule: string;
  readonly impact: axe.ImpactValue | undefined;
  /** HTML of the first element that breaks it. */
  readonly element: string | undefined;
}

/** Returns the violations of accessibility on a page. A document has axe until another one is loaded. */
export async function violationsOn(page: Page): Promise<Violation[]> {
  // Evaluated, because the policy of a page refuses another script.
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(AXE);
  // Chosen in the page, because the whole result is large, and Playwright checks each of its values.
  return await page.evaluate(async () => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    const { violations } = await run({ resultTypes: ['violations'] });
    return violations.map(({ id, impact, nodes }) => ({ rule: id, impact, element: nodes[0]?.html }));
  });
}

/** Returns the violations that keep people from using a page, each with an element. */
export async function seriousViolationsOn(page: Page): Promise<string[]> {
  const violations = await violationsOn(page);
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ rule, element }) => `${rule}: ${element}`);
}
