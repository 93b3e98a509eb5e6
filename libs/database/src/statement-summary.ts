const VERB = /^\s*(\w+)/;
const TABLE = /\b(?:from|into|update)\s+"?(\w+)/i;

/** Names SQL without a name of its own in traces, by its verb and its first table: `insert documents`, `commit`. */
export function summaryOf(sql: string): string {
  const verb = VERB.exec(sql)?.[1]?.toLowerCase() ?? '';
  const table = TABLE.exec(sql)?.[1];
  return table === undefined ? verb : `${verb === 'with' ? 'select' : verb} ${table}`;
}
