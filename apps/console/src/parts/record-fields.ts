/** How the API clears a field of a record. */
type Clearing =
  /** By an empty text. */
  | 'text'
  /** By null. */
  | 'null'
  /** By null, after which the default of the company applies. */
  | 'default'
  /** Not at all. */
  | 'never';

export interface RecordField<Group extends string = string> {
  readonly name: string;
  readonly group: Group;
  /** A `flag` is a choice of true and false. */
  readonly kind:
    'text' | 'long' | 'number' | 'date' | 'code' | 'email' | 'choice' | 'flag' | 'country' | 'colour';
  readonly clears: Clearing;
  readonly isRequired?: boolean;
  readonly choices?: readonly string[];
  /** The name of the text for no value, of a choice. */
  readonly none?: string;
  readonly maxLength?: number;
  /** The form of a value. The text `form_` and the name of the field describes it. */
  readonly form?: RegExp;
  /** The field that it goes with: it may be emptied together with it. */
  readonly goesWith?: string;
}

export type Draft = Readonly<Record<string, string>>;

/** The texts of a form for a record; nothing is an empty text. */
export function draftOf(fields: readonly RecordField[], record: object): Draft {
  const values = record as Readonly<Record<string, Value | undefined>>;
  return Object.fromEntries(fields.map(({ name }) => [name, String(values[name] ?? '')]));
}

/** Which problem a value has; `emptied`: it had one, and the API cannot clear it; `form`: it has another form. */
export type Problem = 'required' | 'number' | 'emptied' | 'form';

/** How an edit treats a field: as it is, with a new value, or cleared. */
export type Change = 'left' | 'changed' | 'cleared' | 'defaulted';

export function changeOf(field: RecordField, before: Draft, after: Draft): Change {
  const [old, now] = [before[field.name] ?? '', (after[field.name] ?? '').trim()];
  if (old === now) return 'left';
  if (now !== '') return 'changed';
  return field.clears === 'default' ? 'defaulted' : 'cleared';
}

export function problemOf(field: RecordField, before: Draft, after: Draft): Problem | null {
  const now = (after[field.name] ?? '').trim();
  if (now === '') return problemOfNothing(field, before, after);
  if (field.kind === 'number') return /^\d+(\.\d+)?$/.test(now) ? null : 'number';
  return field.form && !field.form.test(now) ? 'form' : null;
}

function problemOfNothing(field: RecordField, before: Draft, after: Draft): Problem | null {
  if (field.isRequired) return 'required';
  if (field.goesWith !== undefined && after[field.goesWith] === '') return null;
  return field.clears === 'never' && (before[field.name] ?? '') !== '' ? 'emptied' : null;
}

type Value = string | number | boolean | null;
export type Body = Record<string, Value>;

function valueOf({ kind }: RecordField, text: string): Value {
  if (kind === 'flag') return text === 'true';
  return kind === 'number' ? Number(text) : text;
}

/** The body of an edit: changed fields alone. An emptied one has the value that clears it. */
export function editBody(fields: readonly RecordField[], before: Draft, after: Draft): Body {
  const body: Body = {};
  for (const field of fields) {
    const change = changeOf(field, before, after);
    if (change === 'left') continue;
    const now = (after[field.name] ?? '').trim();
    if (now !== '') body[field.name] = valueOf(field, now);
    else if (field.clears === 'text') body[field.name] = '';
    else if (field.clears !== 'never') body[field.name] = null;
  }
  return body;
}
