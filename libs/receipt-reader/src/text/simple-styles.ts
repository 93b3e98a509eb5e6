/** The styles that determine whether and how an element is shown. */
export interface Shown {
  readonly isHidden: boolean;
  /** True if its children stand side by side. */
  readonly isRow: boolean;
}

const STYLES_LENGTH_MAX = 200_000;
const RULES_MAX = 2_000;
const HIDDEN =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0(?![.\d]))/i;
const ROW = /(?:^|;)\s*display\s*:\s*(?:inline-)?(?:flex|grid)/i;
const COLUMN = /(?:^|;)\s*flex-direction\s*:\s*column/i;

/**
 * The subset of a style sheet that determines which text is visible and what stands side by side. Only rules
 * for a tag name or a class are supported.
 */
export class SimpleStyles {
  private readonly rules = new Map<string, Shown>();

  /** Ignores rules that apply only to some media. */
  add(sheet: string): void {
    const always = withoutNested(sheet.slice(0, STYLES_LENGTH_MAX).replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ''));
    for (const { selectors, declarations } of rulesOf(always)) {
      const shown = shownBy(declarations);
      if (!shown.isHidden && !shown.isRow) continue;
      for (const selector of selectors.split(',')) this.addRule(selector.trim().toLowerCase(), shown);
    }
  }

  shown(name: string, attributes: Readonly<Record<string, string>>): Shown {
    const classes = (attributes['class'] ?? '').toLowerCase().split(/\s+/, 20).filter(Boolean);
    const selectors = [name, ...classes.flatMap((one) => [`.${one}`, `${name}.${one}`])];
    const own = shownBy(attributes['style'] ?? '');
    const rules = selectors.flatMap((selector) => this.rules.get(selector) ?? []);
    return {
      isHidden: own.isHidden || 'hidden' in attributes || rules.some(({ isHidden }) => isHidden),
      isRow: own.isRow || rules.some(({ isRow }) => isRow),
    };
  }

  private addRule(selector: string, shown: Shown): void {
    if (this.rules.size < RULES_MAX && /^[a-z0-9]*(\.[\w-]+)?$/.test(selector))
      this.rules.set(selector, shown);
  }
}

function shownBy(declarations: string): Shown {
  if (declarations === '') return { isHidden: false, isRow: false };
  return {
    isHidden: HIDDEN.test(declarations),
    isRow: ROW.test(declarations) && !COLUMN.test(declarations),
  };
}

/**
 * Yields the innermost rules in one pass. The work must be linear, because a style sheet may consist of
 * opening braces.
 */
function* rulesOf(sheet: string): Generator<{ selectors: string; declarations: string }> {
  let selectors: string | undefined;
  let from = 0;
  for (const { 0: brace, index } of sheet.matchAll(/[{}]/g)) {
    const between = sheet.slice(from, index);
    if (brace === '}' && selectors !== undefined) yield { selectors, declarations: between };
    selectors = brace === '{' ? between : undefined;
    from = index + 1;
  }
}

/** Removes nested blocks and the surrounding at-rules. */
function withoutNested(sheet: string): string {
  let depth = 0;
  let flat = '';
  let rule = '';
  for (const character of sheet) {
    rule += character;
    if (character === '{') depth++;
    if (character !== '}') continue;
    depth = Math.max(depth - 1, 0);
    if (depth > 0) continue;
    if (!rule.trimStart().startsWith('@')) flat += rule;
    rule = '';
  }
  return flat;
}
