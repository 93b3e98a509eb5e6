import { useTexts } from '../app/locale.tsx';
import { useCountries } from './countries.ts';
import { Choice, TextInput } from './fields.tsx';
import { changeOf, type Draft, problemOf, type RecordField } from './record-fields.ts';
import { RECORDS } from './record-messages.ts';

/** The texts of a screen, by the names of its fields, groups and choices. Those of an address are the same everywhere. */
type TextOf = (name: string) => string;

interface RecordFieldsProps {
  readonly fields: readonly RecordField[];
  readonly draft: Draft;
  readonly setDraft: (draft: Draft) => void;
  /** With which the draft is compared; null while nothing is reported. */
  readonly before: Draft | null;
  readonly isEdit?: boolean;
  readonly textOf: TextOf;
}

/** The fields of a form for a record, in their groups. */
export function RecordFields({ fields, draft, setDraft, before, isEdit, textOf }: RecordFieldsProps) {
  const t = useTexts(RECORDS);
  const ofAddress: TextOf = (name) => t(name as keyof typeof RECORDS.en);
  const textsOf = (group: string): TextOf => (group === 'addressOf' ? ofAddress : textOf);
  return [...new Set(fields.map(({ group }) => group))].map((group) => (
    <section key={group} className="form">
      <h3>{textsOf(group)(`group_${group}`)}</h3>
      <div className="form-grid">
        {fields
          .filter((field) => field.group === group)
          .map((field) => (
            <OneField
              key={field.name}
              field={field}
              value={draft[field.name] ?? ''}
              onChange={(value) => setDraft({ ...draft, [field.name]: value })}
              problem={before && problemOf(field, before, draft)}
              change={isEdit && before ? changeOf(field, before, draft) : 'left'}
              textOf={textsOf(group)}
            />
          ))}
      </div>
    </section>
  ));
}

type TextKind = Exclude<RecordField['kind'], 'choice' | 'flag' | 'country' | 'colour'>;

interface OneFieldProps {
  readonly field: RecordField;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly problem: ReturnType<typeof problemOf>;
  readonly change: ReturnType<typeof changeOf>;
  readonly textOf: TextOf;
}

function OneField({ field, value, onChange, problem, change, textOf }: OneFieldProps) {
  const t = useTexts(RECORDS);
  const { name, kind } = field;
  const common = {
    ...{ field, label: textOf(name), value, onChange, textOf },
    problem: problem === null ? undefined : problem === 'form' ? textOf(`form_${name}`) : t(problem),
    help: change === 'left' || problem !== null ? undefined : t(change),
  };
  return (
    <div className={`changes ${change}`}>
      {kind === 'choice' || kind === 'flag' ? (
        <OneChoice {...common} />
      ) : kind === 'country' ? (
        <OneCountry {...common} />
      ) : kind === 'colour' ? (
        <OneColour {...common} />
      ) : (
        <OneText {...common} kind={kind} />
      )}
    </div>
  );
}

interface ValueProps extends Pick<OneFieldProps, 'field' | 'value' | 'onChange' | 'textOf'> {
  readonly label: string;
  readonly problem: string | undefined;
  readonly help: string | undefined;
}

const noneOf = ({ none, clears }: RecordField): string =>
  none ?? (clears === 'default' ? 'companyDefault' : 'notSet');

function OneText({ field, textOf, ...input }: ValueProps & { readonly kind: TextKind }) {
  const { maxLength, clears } = field;
  return (
    <TextInput
      {...input}
      {...(maxLength !== undefined && { maxLength })}
      {...(clears === 'default' && { placeholder: textOf(noneOf(field)) })}
    />
  );
}

/**
 * The palette shows this grey while there is no colour. The browser reports no change when the colour that is shown is
 * chosen, so it is one that is rarely wanted.
 */
const NO_COLOUR = '#808080';

/** The palette of the browser beside the code of the colour, which brands are given by. */
function OneColour(input: ValueProps) {
  const t = useTexts(RECORDS);
  const { field, label, value, onChange } = input;
  return (
    <div className="colour">
      <OneText {...input} kind="code" />
      <input
        type="color"
        aria-label={t('palette', { label })}
        value={field.form?.test(value) ? value : NO_COLOUR}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

function OneChoice({ field, textOf, ...choice }: ValueProps) {
  const { choices = [], isRequired, kind } = field;
  const options = choices.map((value) => ({ value, text: textOf(value) }));
  const none = { value: '', text: textOf(noneOf(field)) };
  return <Choice {...choice} options={isRequired || kind === 'flag' ? options : [none, ...options]} />;
}

function OneCountry({ field: _field, textOf: _textOf, ...choice }: ValueProps) {
  return <Choice {...choice} options={useCountries()} />;
}

/** Says what an edit will save. */
export function SentChanges({ isEmpty }: { readonly isEmpty: boolean }) {
  const t = useTexts(RECORDS);
  return (
    <section className="sent" aria-live="polite">
      <p className="quiet-text">{isEmpty ? t('nothing') : t('sent')}</p>
    </section>
  );
}
