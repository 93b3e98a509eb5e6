import { prettyFactory } from 'pino-pretty';

type Fields = Readonly<Record<string, unknown>>;

/** Texts for the messages that come most often. They say their fields in fewer words than the fields would take. */
const TEXTS: ReadonlyMap<unknown, string> = new Map([
  ['request', '{method} {path} {status} in {durationMs} ms'],
  ['webhook attempt', 'webhook attempt {attempt}: {eventType} {state} {status} {failure} in {durationMs} ms'],
]);
const FIELD = /\{(\w+)\}/g;

/** Returns a function that makes a readable line of each JSON line. Only errors take more lines, for their stacks. */
export function readableLines(): (json: string) => string {
  const readable = prettyFactory({
    ignore: 'pid,hostname',
    translateTime: 'HH:MM:ss.l',
    singleLine: true,
  });
  return (json) => readable(condensed(JSON.parse(json) as Fields));
}

/** Moves fields into the text of the message, and omits those that are null. */
function condensed(fields: Fields): object {
  const { msg, ...others } = fields;
  const text = TEXTS.get(msg);
  if (text === undefined) return fields;
  const said = new Set([...text.matchAll(FIELD)].map(([, name]) => name));
  const rest = Object.entries(others).filter(([name, value]) => !said.has(name) && value !== null);
  const filled = text.replace(FIELD, (_, name: string) => textOf(others[name]));
  return { ...Object.fromEntries(rest), msg: filled.replace(/\s+/g, ' ') };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
