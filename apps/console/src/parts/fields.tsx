import { type ReactNode, useId } from 'react';
import { FieldError, Input, Label, Text, TextArea, TextField } from 'react-aria-components';

interface FieldProps {
  readonly label: string;
  /** Shown below the field. */
  readonly help?: ReactNode;
  /** A fault of the value. */
  readonly problem?: ReactNode;
  /** For cells of a grid, whose column has the title. */
  readonly isLabelHidden?: boolean;
}

interface TextInputProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly kind?: Kind;
  readonly maxLength?: number;
  readonly isRequired?: boolean;
  /** Beside the label. */
  readonly mark?: ReactNode;
  readonly onFocus?: () => void;
  readonly placeholder?: string;
}

/** `time` is a day and a time of day as `datetime-local` writes it, in the zone of the browser. */
type Kind = 'text' | 'number' | 'date' | 'time' | 'code' | 'email' | 'search' | 'long';

const MODES: Partial<Record<Kind, 'decimal' | 'email'>> = { number: 'decimal', email: 'email' };
const TYPES: Partial<Record<Kind, string>> = { date: 'date', time: 'datetime-local', search: 'search' };
const IN_THE_LANGUAGE: readonly Kind[] = ['text', 'search', 'long'];

/** A field for a text, a number, a time or a code. Numbers are texts here: half a number can be typed. */
export function TextInput(props: TextInputProps) {
  const { label, value, onChange, help, problem, kind = 'text', mark, placeholder } = props;
  const { maxLength, isRequired = false, isLabelHidden, onFocus } = props;
  return (
    <TextField
      value={value}
      onChange={onChange}
      isInvalid={problem !== undefined}
      isRequired={isRequired}
      validationBehavior="aria"
      type={TYPES[kind] ?? 'text'}
      {...(onFocus && { onFocus })}
      {...(maxLength !== undefined && { maxLength })}
      {...(isLabelHidden && { 'aria-label': label })}
    >
      {!isLabelHidden && (
        <span className="label-line">
          <Label>{label}</Label>
          {mark}
        </span>
      )}
      <Control {...{ kind, value, placeholder }} />
      {problem !== undefined && (
        <FieldError>
          <bdi>{problem}</bdi>
        </FieldError>
      )}
      {help !== undefined && <Text slot="description">{help}</Text>}
    </TextField>
  );
}

interface ControlProps {
  readonly kind: Kind;
  readonly value: string;
  readonly placeholder: string | undefined;
}

function Control({ kind, value, placeholder }: ControlProps) {
  const isLanguage = IN_THE_LANGUAGE.includes(kind);
  const isLeftToRight = !isLanguage && value !== '';
  const common = {
    dir: isLeftToRight ? 'ltr' : 'auto',
    ...(placeholder !== undefined && { placeholder }),
  } as const;
  if (kind === 'long') return <TextArea className="react-aria-Input area" rows={3} {...common} />;
  const inputMode = MODES[kind];
  return (
    <Input
      autoComplete="off"
      spellCheck={isLanguage ? 'true' : 'false'}
      {...(inputMode && { inputMode })}
      {...common}
    />
  );
}

export interface Option<Value extends string = string> {
  readonly value: Value;
  readonly text: string;
}

interface ChoiceProps<Value extends string> extends FieldProps {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly options: readonly Option<Value>[];
}

/** One of a few values. It is the select of the browser, which every screen reader and every phone knows. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, value, onChange, help, problem, options, isLabelHidden } = props;
  const id = useId();
  const notes = [problem, help].filter((note) => note !== undefined);
  return (
    <div className="react-aria-TextField">
      <label htmlFor={id} className={isLabelHidden ? 'unseen' : undefined}>
        {label}
      </label>
      <select
        id={id}
        className="react-aria-Input select"
        value={value}
        aria-describedby={notes.length > 0 ? `${id}-notes` : undefined}
        aria-invalid={problem !== undefined || undefined}
        onChange={(event) => onChange(event.target.value as Value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      {notes.length > 0 && (
        <span id={`${id}-notes`} className="notes">
          {problem !== undefined && <span className="react-aria-FieldError">{problem}</span>}
          {help !== undefined && <span>{help}</span>}
        </span>
      )}
    </div>
  );
}
