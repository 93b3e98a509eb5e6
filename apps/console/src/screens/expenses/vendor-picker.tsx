import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  Button,
  ComboBox,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
} from 'react-aria-components';
import { useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { useDebounced } from '../../parts/debounced.ts';
import { Icon } from '../../parts/icon.tsx';
import type { NamedVendor } from './draft.ts';
import { EXPENSE_FORM } from './form-texts.ts';

const SHOWN = 20;

interface VendorPickerProps {
  readonly value: NamedVendor | null;
  readonly onChange: (vendor: NamedVendor | null) => void;
  readonly isRequired?: boolean;
  readonly error?: string | undefined;
  readonly onFocus?: () => void;
}

interface Option extends NamedVendor {
  readonly taxId: string | null;
}

/** Finds a vendor by a part of its name, tax id or e-mail. */
export function VendorPicker({ value, onChange, isRequired = false, error, onFocus }: VendorPickerProps) {
  const t = useTexts(EXPENSE_FORM);
  const [text, setText] = useShownText(value);
  const { options, isSearching } = useOptions(text, value);
  return (
    <ComboBox
      className="react-aria-TextField vendor-picker"
      items={options}
      inputValue={text}
      onInputChange={setText}
      selectedKey={value?.id ?? null}
      onSelectionChange={(key) => {
        const chosen = options.find(({ id }) => id === key) ?? null;
        setText(chosen?.name ?? '');
        onChange(chosen && { id: chosen.id, name: chosen.name });
      }}
      isRequired={isRequired}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      allowsEmptyCollection
      {...(onFocus && { onFocus })}
    >
      <Label>{t('vendor')}</Label>
      <div className="with-button">
        <Input {...(text !== '' && { dir: 'auto' })} placeholder={t('searchVendors')} />
        <Button className="button quiet" aria-label={t('showVendors')}>
          <Icon name="down" />
        </Button>
      </div>
      <FieldError>
        <bdi>{error}</bdi>
      </FieldError>
      <Popover className="popover vendor-list">
        <ListBox<Option>
          className="menu"
          renderEmptyState={() => (
            <p className="quiet-text nothing">{isSearching ? t('searching') : t('noVendors')}</p>
          )}
        >
          {({ id, name, taxId }) => (
            <ListBoxItem id={id} className="item" textValue={name}>
              <bdi>{name}</bdi>
              <bdi className="quiet-text">{taxId}</bdi>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

/** The text of the field: as it is typed, and the name of a vendor that is chosen elsewhere. */
function useShownText(value: NamedVendor | null) {
  const [text, setText] = useState(value?.name ?? '');
  const [shown, setShown] = useState(value);
  if (!isSame(value, shown)) {
    setShown(value);
    if (value || shown?.name === text) setText(value?.name ?? '');
  }
  return [text, setText] as const;
}

const isSame = (one: NamedVendor | null, other: NamedVendor | null): boolean =>
  one?.id === other?.id && one?.name === other?.name;

function useOptions(text: string, value: NamedVendor | null) {
  const { client } = useAccount();
  const typed = text === value?.name ? '' : text.trim();
  const search = useDebounced(typed);
  const vendors = useQuery({
    queryKey: ['vendors', 'picked', search],
    queryFn: async () => client.vendors.list({ limit: SHOWN, sortBy: 'name', ...(search && { search }) }),
    placeholderData: keepPreviousData,
  });
  const isSearching = search !== typed || vendors.isPlaceholderData || vendors.isPending;
  const rows = vendors.data?.data ?? [];
  // Until the answer for this text is there, nothing is offered that does not match it.
  const matching = isSearching ? rows.filter((row) => has(row.name, typed) || has(row.taxId, typed)) : rows;
  return { options: optionsOf(matching, value), isSearching };
}

const has = (whole: string | null, part: string): boolean =>
  (whole ?? '').toLowerCase().includes(part.toLowerCase());

/** The chosen vendor is always among them: a combo box forgets what its list lacks. */
function optionsOf(
  rows: readonly { readonly id: number; readonly name: string; readonly taxId: string | null }[],
  value: NamedVendor | null,
): readonly Option[] {
  const found = rows.map(({ id, name, taxId }) => ({ id, name, taxId }));
  if (!value || found.some(({ id }) => id === value.id)) return found;
  return [{ ...value, taxId: null }, ...found];
}
