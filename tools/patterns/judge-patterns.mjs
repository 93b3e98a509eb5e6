/**
 * Returns the problems of the patterns.
 *
 * @param verdictOf returns `safe` for a constant pattern, or the number of steps that matching may take
 * @param justified { file, code, reason } of the exceptions
 */
export function problemsOf(patterns, verdictOf, justified) {
  const used = new Set();
  const problems = [];
  for (const pattern of patterns) {
    const verdict = pattern.source === null ? 'put together at run time' : verdictOf(pattern);
    if (verdict === 'safe') continue;
    const entry = justified.find(({ file, code }) => file === pattern.file && code === pattern.code);
    if (entry) used.add(entry);
    else problems.push(`${pattern.file}:${pattern.line}: ${verdict}: ${pattern.code}`);
  }
  for (const entry of justified)
    if (!used.has(entry))
      problems.push(`tools/patterns/justified.mjs: no longer needed: ${entry.file}: ${entry.code}`);
  return problems;
}
