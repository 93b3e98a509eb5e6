const TAB_COLUMNS = 8;

/** Splits a line of text at tabs and at two or more spaces, and returns each piece with its column. */
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
    // At least two spaces, so that a tab always separates columns.
    if (index > 0) wide = `${wide}  `.padEnd(Math.ceil((wide.length + 2) / TAB_COLUMNS) * TAB_COLUMNS);
    wide += part;
  }
  return wide;
}
