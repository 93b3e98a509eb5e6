import { useState } from 'react';
import { Button, Checkbox } from 'react-aria-components';
import { useTexts } from '../../app/locale.tsx';
import { TextFilter } from '../../parts/filters.tsx';
import { useListQuery } from '../../parts/list-query.ts';
import { EXPENSES } from './texts.ts';
import { VendorPicker } from './vendor-picker.tsx';

const NAMES = ['search', 'startDate', 'endDate', 'vendorId'] as const;

type Search = Readonly<Record<string, unknown>>;

/** Whether the list is narrowed. Supplier invoices widen it. */
export const hasFilters = (search: Search): boolean => NAMES.some((name) => search[name] !== undefined);

/** The filters of the API. They are kept in the address. */
export function Filters({ vendorName }: { readonly vendorName: string | undefined }) {
  const t = useTexts(EXPENSES);
  const { search, change } = useListQuery();
  const vendorId = search['vendorId'] === undefined ? null : Number(search['vendorId']);
  const withInvoices = search['include'] === 'all';
  const [chosenName, setChosenName] = useState<string>();
  const set = (part: Record<string, string | number | undefined>) => change({ ...part, offset: undefined });
  return (
    <search className="filters">
      <TextFilter name="search" label={t('search')} kind="search" help={t('searchHint')} />
      <TextFilter name="startDate" label={t('from')} kind="date" />
      <TextFilter name="endDate" label={t('until')} kind="date" />
      <VendorPicker
        value={
          vendorId === null
            ? null
            : { id: vendorId, name: vendorName ?? chosenName ?? t('anyVendor', { id: vendorId }) }
        }
        onChange={(vendor) => {
          setChosenName(vendor?.name);
          set({ vendorId: vendor?.id });
        }}
      />
      <Checkbox
        className="checkbox"
        isSelected={withInvoices}
        onChange={(isOn) =>
          set({ include: isOn ? 'all' : undefined, sortBy: undefined, sortOrder: undefined })
        }
      >
        <span className="check" aria-hidden="true" />
        {t('invoices')}
      </Checkbox>
      {hasFilters(search) && (
        <Button
          className="button quiet"
          onPress={() => set(Object.fromEntries(NAMES.map((name) => [name, undefined])))}
        >
          {t('clear')}
        </Button>
      )}
      <details className="explained">
        <summary>{t('whatAreInvoices')}</summary>
        <p>{t('invoicesText')}</p>
      </details>
    </search>
  );
}
