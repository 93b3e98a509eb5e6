import { Checkbox } from 'react-aria-components';
import { useTexts } from '../../app/locale.tsx';
import { useChosenParty } from '../../parts/chosen-party.ts';
import { Filters, isNarrowed, TextFilter } from '../../parts/filters.tsx';
import { useListQuery } from '../../parts/list-query.ts';
import type { NamedVendor } from './draft.ts';
import { FoundVendors } from './found-vendors.tsx';
import { EXPENSES } from './texts.ts';
import { VendorPicker } from './vendor-picker.tsx';

const NAMES = ['search', 'startDate', 'endDate', 'vendorId'] as const;

/** Whether the list is narrowed. Supplier invoices widen it. */
export const hasFilters = (search: Readonly<Record<string, unknown>>): boolean => isNarrowed(search, NAMES);

/** The filters of the API. They are kept in the address. */
export function ExpenseFilters() {
  const t = useTexts(EXPENSES);
  const { search, change } = useListQuery();
  const vendorId = search['vendorId'] === undefined ? null : Number(search['vendorId']);
  const withInvoices = search['include'] === 'all';
  const [vendor, remember] = useChosenParty(vendorId);
  const set = (part: Record<string, string | number | undefined>) => change({ ...part, offset: undefined });
  const choose = (chosen: NamedVendor | null, part = {}) => {
    remember(chosen);
    set({ ...part, vendorId: chosen?.id });
  };
  return (
    <Filters
      names={NAMES}
      below={
        <>
          <FoundVendors
            searched={vendorId === null ? String(search['search'] ?? '').trim() : ''}
            onChoose={(found) => choose(found, { search: undefined })}
          />
          <details className="explained">
            <summary>{t('whatAreInvoices')}</summary>
            <p>{t('invoicesText')}</p>
          </details>
        </>
      }
    >
      <TextFilter name="search" label={t('search')} kind="search" />
      <TextFilter name="startDate" label={t('from')} kind="date" />
      <TextFilter name="endDate" label={t('until')} kind="date" />
      <VendorPicker value={vendor} onChange={choose} />
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
    </Filters>
  );
}
