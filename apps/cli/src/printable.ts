/** All control characters but line breaks: stored texts could otherwise move the cursor or set the title of a terminal. */
const CONTROLS = /[\p{Cc}]/gu;

/** Makes text of the service safe for a terminal. */
export function printable(text: string): string {
  return text.replace(CONTROLS, (found) => (found === '\n' ? found : '\ufffd'));
}

/** The same on one line. */
export function printableLine(text: string): string {
  return printable(text.replaceAll('\n', ' '));
}
