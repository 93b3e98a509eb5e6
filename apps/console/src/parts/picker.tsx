import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, use, useState } from 'react';
import {
  Button,
  ComboBox,
  ComboBoxStateContext,
  FieldError,
  Input,
  type InputProps,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Text,
} from 'react-aria-components';
import { useTexts } from '../app/locale.tsx';
import { PARTS } from './books-messages.ts';
import { useDebounced } from './debounced.ts';
import { Icon } from './icon.tsx';
import { type Pick, textAfter } from './pick.ts';

const PAUSE_MS = 250;

interface PickerProps<One extends Pick> {
  readonly label: string;
  /** The part of the query key that tells one kind of records from another. */
  readonly kind: string;
  readonly chosen: One | null;
  readonly onChoose: (one: One | null) => void;
  /** One bounded call of the API. */
  readonly find: (text: string) => Promise<readonly One[]>;
  readonly help?: string;
  readonly placeholder?: string;
  /** Shown if nothing is found. */
  readonly none?: string;
  readonly isRequired?: boolean;
  /** A fault of the choice. */
  readonly problem?: ReactNode;
  readonly onFocus?: () => void;
}

/** Finds a record by typing a part of its name. When it is left, it shows the name of the chosen record, or nothing. */
export function Picker<One extends Pick>(props: PickerProps<One>) {
  const { label, chosen, onChoose, help, placeholder, isRequired = false, problem, onFocus } = props;
  const [text, setText] = useShownText(chosen);
  const { offered, nothing } = useOffered(props, text);
  const choose = (one: One | null) => {
    if (one?.id !== chosen?.id) onChoose(one);
  };
  return (
    <ComboBox
      className="react-aria-TextField picker"
      items={offered}
      inputValue={text}
      onInputChange={(typed) => {
        setText(typed);
        if (typed === '') choose(null);
      }}
      selectedKey={chosen?.id ?? null}
      onSelectionChange={(key) => {
        const one = offered.find(({ id }) => id === key) ?? null;
        setText(one?.name ?? '');
        choose(one);
      }}
      // A field with a fault gets the focus. Its list would cover the fault and what is below it.
      menuTrigger={problem === undefined ? 'focus' : 'input'}
      allowsEmptyCollection
      defaultFilter={() => true}
      isRequired={isRequired}
      isInvalid={problem !== undefined}
      validationBehavior="aria"
      {...(onFocus && { onFocus })}
    >
      <Label>{label}</Label>
      <div className="picker-input">
        <OpeningInput dir="auto" {...(placeholder !== undefined && { placeholder })} />
        <Button className="button quiet small">
          <Icon name="down" />
        </Button>
      </div>
      <FieldError>
        <bdi>{problem}</bdi>
      </FieldError>
      {help !== undefined && <Text slot="description">{help}</Text>}
      <Popover className="popover">
        <ListBox className="menu" renderEmptyState={() => <p className="quiet-text nothing">{nothing}</p>}>
          {(one: Pick) => (
            <ListBoxItem id={one.id} className="item" textValue={one.name}>
              <bdi className="clip">{one.name}</bdi>
              {one.detail !== undefined && <bdi className="quiet-text clip">{one.detail}</bdi>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

/** Opens the list when it is clicked, also if it has the focus already. */
function OpeningInput(props: InputProps) {
  const list = use(ComboBoxStateContext);
  return <Input {...props} onClick={() => list?.isOpen === false && list.open(null, 'manual')} />;
}

/** The text of the field: as it is typed, and the name of a record that is chosen elsewhere. */
function useShownText(chosen: Pick | null) {
  const [text, setText] = useState(chosen?.name ?? '');
  const [shown, setShown] = useState(chosen);
  if (chosen?.id !== shown?.id || chosen?.name !== shown?.name) {
    setShown(chosen);
    setText(textAfter(text, shown, chosen));
  }
  return [text, setText] as const;
}

/** The records that a text finds, and the words for none. */
function useOffered<One extends Pick>({ kind, chosen, find, none }: PickerProps<One>, text: string) {
  const t = useTexts(PARTS);
  const typed = text === chosen?.name ? '' : text.trim();
  const sought = useDebounced(typed, PAUSE_MS);
  const { data, isPending, isPlaceholderData, error } = useQuery({
    queryKey: [kind, 'picked', sought],
    queryFn: () => find(sought),
    placeholderData: keepPreviousData,
  });
  const isSearching = sought !== typed || isPlaceholderData || isPending;
  // Until the answer for this text is there, nothing is offered that does not match it.
  const found = (data ?? []).filter((one) => !isSearching || has(one.name, typed) || has(one.detail, typed));
  const nothing = error ? t('searchFailed') : isSearching ? t('searching') : (none ?? t('nothingFound'));
  return { offered: withChosen(found, chosen), nothing };
}

const has = (whole: string | undefined, part: string): boolean =>
  (whole ?? '').toLowerCase().includes(part.toLowerCase());

/** The chosen record is always among them: a combo box forgets what its list lacks. */
const withChosen = <One extends Pick>(found: readonly One[], chosen: One | null): readonly One[] =>
  !chosen || found.some(({ id }) => id === chosen.id) ? found : [chosen, ...found];
