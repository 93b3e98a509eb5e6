const TAB_COLUMNS = 8;

/** The pieces of a line of text that two or more spaces, or a tab, part; and the column in which each begins. */
export function columnsOf(line: string): { text: string; x: number }[] {
  return [...withoutTabs(line).matchAll(/\S+(?:\s\S+)*/g)].map((match) => ({
    text: match[0],
    x: match.index,
  }));
}

function withoutTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let wide = '';
  for (const [index, part] of line.split('\t').entries()) {
    // Two spaces at least, so that a tab always parts.
    if (index > 0) wide = `${wide}  `.padEnd(Math.ceil((wide.length + 2) / TAB_COLUMNS) * TAB_COLUMNS);
    wide += part;
  }
  return wide;
}
