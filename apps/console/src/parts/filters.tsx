import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { useTexts } from '../app/locale.tsx';
import { PARTS } from './books-messages.ts';
import { Choice, type Option, TextInput } from './fields.tsx';
import { useListQuery } from './list-query.ts';

/** How long typing must pause before the list is asked. */
const PAUSE_MS = 300;

interface FilterProps {
  /** In the address and in the query of the API. */
  readonly name: string;
  readonly label: string;
}

interface FiltersProps {
  /** The filters that narrow the list, as they are in the address. */
  readonly names: readonly string[];
  readonly children: ReactNode;
  /** Below the filters, in their whole width. */
  readonly below?: ReactNode;
}

/** The filters of a list, which the address keeps. */
export function Filters({ names, children, below }: FiltersProps) {
  const t = useTexts(PARTS);
  const { search, change } = useListQuery();
  const none = Object.fromEntries([...names, 'offset'].map((name) => [name, undefined]));
  return (
    <search className="filters">
      {children}
      {isNarrowed(search, names) && (
        <Button className="button quiet" onPress={() => change(none)}>
          {t('clear')}
        </Button>
      )}
      {below}
    </search>
  );
}

/** Whether one of the filters is set. */
export const isNarrowed = (search: Readonly<Record<string, unknown>>, names: readonly string[]): boolean =>
  names.some((name) => search[name] !== undefined);

interface TextFilterProps extends FilterProps {
  readonly kind?: 'text' | 'date' | 'code' | 'number' | 'search';
  /** Shown and meant while the address has no value. */
  readonly standard?: string;
}

/** A filter that is typed. The address changes when the typing pauses. */
export function TextFilter({ name, label, kind = 'text', standard = '' }: TextFilterProps) {
  const { search, change } = useListQuery();
  const inAddress = String(search[name] ?? standard);
  const [typed, setTyped] = useState(inAddress);
  const sent = useRef(inAddress);
  useEffect(() => {
    // The history went back, or the filters were cleared.
    if (inAddress !== sent.current) setTyped((sent.current = inAddress));
  }, [inAddress]);
  useEffect(() => {
    if (typed === sent.current) return undefined;
    const timer = setTimeout(() => {
      if (change({ [name]: typed === '' ? undefined : typed, offset: undefined })) sent.current = typed;
      else setTyped(sent.current);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return <TextInput {...{ label, kind }} value={typed} onChange={setTyped} maxLength={200} />;
}

interface ChoiceFilterProps extends FilterProps {
  readonly options: readonly Option[];
}

export function ChoiceFilter({ name, label, options }: ChoiceFilterProps) {
  const t = useTexts(PARTS);
  const { search, change } = useListQuery();
  return (
    <Choice
      label={label}
      value={String(search[name] ?? '')}
      onChange={(value) => change({ [name]: value === '' ? undefined : value, offset: undefined })}
      options={[{ value: '', text: t('all') }, ...options]}
    />
  );
}
