/** The end of a command's help. Each example is a line to paste, with a comment where that is not obvious. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}
