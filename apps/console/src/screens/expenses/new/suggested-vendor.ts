import type { Extraction } from '@counterfoil/sdk';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import type { NamedVendor } from '../draft.ts';
import { EXPENSE_FORM } from '../form-texts.ts';

const CANDIDATES = 20;

interface SuggestedVendor {
  readonly isReady: boolean;
  readonly data: NamedVendor | null;
}

/** The vendor that the service suggests, with its name. */
export function useSuggestedVendor(reading: Extraction | undefined): SuggestedVendor {
  const t = useTexts(EXPENSE_FORM);
  const { client } = useAccount();
  const id = reading?.suggestedVendorId;
  const { vendorTaxId, vendorName } = reading?.expenseData ?? {};
  const terms = [vendorTaxId, vendorName].filter((term) => term !== undefined);
  const found = useQuery({
    queryKey: ['vendors', 'suggested', id, ...terms],
    queryFn: async () => {
      const pages = await Promise.all(
        terms.map((search) => client.vendors.list({ search, limit: CANDIDATES })),
      );
      return pages.flatMap(({ data }) => data);
    },
    enabled: id !== undefined,
  });
  if (id === undefined) return { isReady: true, data: null };
  const vendor = found.data?.find((one) => one.id === id);
  // Stored with spaces or another legal form, it is not found by the list: the suggestion holds all the same.
  const name = vendor?.name ?? vendorName ?? `${t('vendor')} ${id}`;
  return { isReady: !found.isPending, data: { id, name } };
}
