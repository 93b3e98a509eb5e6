import { skipToken, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Button } from 'react-aria-components';
import { useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import type { NamedVendor } from './draft.ts';
import { EXPENSES } from './texts.ts';

const SHOWN = 3;

/**
 * Offers the vendors that a search finds as filters. The search of expenses itself reads only their own texts
 * (contract §11.5).
 */
export function FoundVendors({
  searched,
  onChoose,
}: {
  readonly searched: string;
  readonly onChoose: (vendor: NamedVendor) => void;
}) {
  const t = useTexts(EXPENSES);
  const { client } = useAccount();
  const { data = [] } = useQuery({
    queryKey: ['vendors', 'found', searched],
    queryFn:
      searched === ''
        ? skipToken
        : async () => (await client.vendors.list({ search: searched, limit: SHOWN })).data,
  });
  const root = useRef<HTMLDivElement>(null);
  const choose = (vendor: NamedVendor) => {
    // The button leaves the page with the search, which goes on in its field.
    root.current?.closest('search')?.querySelector<HTMLElement>('[type=search]')?.focus();
    onChoose(vendor);
  };
  return (
    <div className={data.length > 0 ? 'found' : 'unseen'} ref={root}>
      <span role="status">{data.length > 0 && t('foundVendors')}</span>
      {data.map(({ id, name }) => (
        <Button key={id} className="button small" onPress={() => choose({ id, name })}>
          <bdi className="clip">{t('onlyOf', { name })}</bdi>
        </Button>
      ))}
    </div>
  );
}
