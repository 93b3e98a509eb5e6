const BROWSERS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const;
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'] as const;
const NAMES: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS': 'macOS' };

export interface BrowserName {
  readonly browser: string;
  readonly system: string;
}

/** Reads the two names that people know from how a browser calls itself; null for a program. */
export function browserName(userAgent: string | null): BrowserName | null {
  const found = (words: readonly string[]) => words.find((word) => userAgent?.includes(word));
  const browser = found(BROWSERS);
  const system = found(SYSTEMS);
  if (browser === undefined || system === undefined) return null;
  return { browser: NAMES[browser] ?? browser, system: NAMES[system] ?? system };
}
