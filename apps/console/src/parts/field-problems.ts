import { fill, type Language, PLACEHOLDER, type Values } from '../app/messages.ts';
import { PROBLEMS } from '../app/problem-messages.ts';

type Rule = keyof typeof PROBLEMS.en;

const BOUNDS = ['min', 'max'];

/** The longest first: "must not be before {day}" would match the sentence on closed books, too. */
const RULES = (Object.keys(PROBLEMS.en) as Rule[]).sort(
  (a, b) => PROBLEMS.en[b].length - PROBLEMS.en[a].length,
);

/** Returns what a sentence has in the places of a template's placeholders; null if it differs from the template. */
function valuesIn(sentence: string, template: string): Values | null {
  const [start = '', ...parts] = template.split(PLACEHOLDER);
  if (!sentence.startsWith(start)) return null;
  const values: Record<string, string> = {};
  let rest = sentence.slice(start.length);
  // A name, and the text after its placeholder, in turn.
  for (let at = 0; at < parts.length; at += 2) {
    const [name = '', text = ''] = parts.slice(at, at + 2);
    const end = text === '' ? rest.length : rest.indexOf(text);
    const value = rest.slice(0, Math.max(end, 0));
    if (value === '' || (BOUNDS.includes(name) && Number.isNaN(Number(value)))) return null;
    values[name] = value;
    rest = rest.slice(end + text.length);
  }
  return rest === '' ? values : null;
}

/**
 * Translates a problem of a field.
 *
 * @param problem a sentence of the service, such as `must be at most 20 characters`
 * @returns null if the console does not know the rule
 */
export function translateProblem(problem: string, language: Language): string | null {
  for (const rule of RULES) {
    const values = valuesIn(problem, PROBLEMS.en[rule]);
    if (values) return fill(PROBLEMS[language][rule], values);
  }
  return null;
}
