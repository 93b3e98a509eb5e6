import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import { useTexts } from '../app/locale.tsx';
import { PARTS } from './books-messages.ts';
import { useDebounced } from './debounced.ts';
import { Icon } from './icon.tsx';
import type { Pick } from './pick.ts';

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
  readonly isLabelHidden?: boolean;
}

/** Finds a record by typing a part of its name. */
export function Picker<One extends Pick>(props: PickerProps<One>) {
  const { label, kind, chosen, onChoose, find, help, isLabelHidden } = props;
  const [text, setText] = useState(chosen?.name ?? '');
  useEffect(() => setText(chosen?.name ?? ''), [chosen?.id]);
  const { found, nothing } = useFound(kind, text === chosen?.name ? '' : text.trim(), find);
  return (
    <ComboBox
      className="react-aria-TextField picker"
      items={found}
      inputValue={text}
      onInputChange={(typed) => {
        setText(typed);
        if (typed === '' && chosen) onChoose(null);
      }}
      selectedKey={chosen?.id ?? null}
      onSelectionChange={(key) => {
        const one = found.find(({ id }) => id === key);
        if (!one) return;
        setText(one.name);
        onChoose(one);
      }}
      menuTrigger="focus"
      allowsEmptyCollection
      defaultFilter={() => true}
      {...(isLabelHidden && { 'aria-label': label })}
    >
      {!isLabelHidden && <Label>{label}</Label>}
      <div className="picker-input">
        <Input dir="auto" />
        <Button className="button quiet small">
          <Icon name="down" />
        </Button>
      </div>
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

/** The records that a text finds, and the words for none. */
function useFound<One extends Pick>(
  kind: string,
  text: string,
  find: (text: string) => Promise<readonly One[]>,
) {
  const t = useTexts(PARTS);
  const sought = useDebounced(text, PAUSE_MS);
  const { data, isFetching, error } = useQuery({
    queryKey: ['pick', kind, sought],
    queryFn: () => find(sought),
  });
  const nothing = isFetching ? t('searching') : error ? t('searchFailed') : t('nothingFound');
  return { found: data ?? [], nothing };
}
