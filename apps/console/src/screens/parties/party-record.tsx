import type { AnswerOf } from '@counterfoil/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useFormats, useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { addressLine } from '../../parts/address-fields.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Facts, Section } from '../../parts/facts.tsx';
import { Loading } from '../../parts/loading.tsx';
import { EmptyState, PageFrame } from '../../parts/page.tsx';
import { useParam } from '../../parts/params.ts';
import { fieldsOf, type PartyField, type PartyKind } from './party-fields.ts';
import { EditParty } from './party-form.tsx';
import { PARTIES } from './texts.ts';

type Party = NonNullable<AnswerOf<'GET /vendors/id/{visibleId}'>> | AnswerOf<'GET /clients/id/{visibleId}'>;
type Key = keyof typeof PARTIES.en;

const GROUPS = ['identity', 'terms', 'bank', 'withholding'] as const;

/** One vendor or client. */
export function PartyRecord({ kind }: { readonly kind: PartyKind }) {
  const t = useTexts(PARTIES);
  const { client } = useAccount();
  const id = useParam('id');
  const [isEditing, setEditing] = useState(false);
  const found = useQuery({
    queryKey: [kind, 'one', id],
    queryFn: async (): Promise<Party | null> => client[kind].get(id),
  });
  const party = found.data;
  const actions = (
    <>
      <ApiCall
        request={`GET /${kind}/id/${id}`}
        sdk={`await counterfoil.${kind}.get(${JSON.stringify(id)});`}
      />
      {party && <PartyLinks kind={kind} party={party} onEdit={() => setEditing(true)} />}
    </>
  );
  return (
    <PageFrame title={party?.name ?? t(`back_${kind}`)} actions={actions}>
      {found.error && <ErrorNotice error={found.error} retry={() => void found.refetch()} />}
      {found.isPending && <Loading />}
      {party === null && (
        <EmptyState title={t(`unknown_${kind}`)}>
          <p>
            <Link to={`/${kind}`}>{t(`back_${kind}`)}</Link>
          </p>
        </EmptyState>
      )}
      {party && <PartyFacts kind={kind} party={party} />}
      {party && isEditing && <EditParty kind={kind} record={party} onClose={() => setEditing(false)} />}
    </PageFrame>
  );
}

interface PartyLinksProps {
  readonly kind: PartyKind;
  readonly party: Party;
  readonly onEdit: () => void;
}

function PartyLinks({ kind, party, onEdit }: PartyLinksProps) {
  const t = useTexts(PARTIES);
  const { may } = useAccount();
  return (
    <>
      <Link to="/documents" search={{ entityId: party.id }} className="button">
        {t('documents')}
      </Link>
      {kind === 'vendors' ? (
        <Link to="/vendors/$id/pricelist" params={{ id: party.visibleId }} className="button">
          {t('pricelist')}
        </Link>
      ) : (
        <>
          <Link to="/clients/$id/statement" params={{ id: party.visibleId }} className="button">
            {t('statement')}
          </Link>
          {may('write') && (
            <Link to="/documents/new" search={{ client: party.visibleId }} className="button">
              {t('issue')}
            </Link>
          )}
        </>
      )}
      {may('write') && (
        <Button className="button primary" onPress={onEdit}>
          {t('edit')}
        </Button>
      )}
    </>
  );
}

function PartyFacts({ kind, party }: { readonly kind: PartyKind; readonly party: Party }) {
  const t = useTexts(PARTIES);
  const valueOf = useValueOf(party);
  const { address } = party;
  return (
    <div className="cards">
      {GROUPS.map((group) => ({ group, fields: fieldsOf(kind).filter((field) => field.group === group) }))
        .filter(({ fields }) => fields.length > 0)
        .map(({ group, fields }) => (
          <Section key={group} title={t(`group_${group}`)}>
            <Facts
              facts={[
                ...fields.map((field) => ({ name: t(field.name as Key), value: valueOf(field) })),
                group === 'identity' && { name: t('address'), value: address && addressLine(address) },
                group === 'identity' && { name: t('id'), value: party.id },
              ]}
            />
          </Section>
        ))}
      <Section title={t('contacts')}>
        {party.contacts.length === 0 ? (
          <p className="quiet-text">{t('noContacts')}</p>
        ) : (
          <ul className="stack">
            {party.contacts.map(({ id, firstName, lastName, phoneNumber, email }) => (
              <li key={id}>
                <bdi className="strong">{[firstName, lastName].filter(Boolean).join(' ')}</bdi>
                <br />
                <bdi className="quiet-text">{[phoneNumber, email].filter(Boolean).join(' · ')}</bdi>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </div>
  );
}

/** Writes a field as people read it. */
function useValueOf(party: Party): (field: PartyField) => string | null {
  const t = useTexts(PARTIES);
  const { date, number } = useFormats();
  const values = party as unknown as Readonly<Record<string, string | number | boolean | null | undefined>>;
  return ({ name, kind, clears }) => {
    const value = values[name];
    if (value === null || value === undefined || value === '')
      return clears === 'default' ? t('companyDefault') : null;
    if (kind === 'choice' || kind === 'flag') return t(String(value) as Key);
    if (kind === 'date') return date(String(value));
    return typeof value === 'number' && name !== 'vendorInternalCode' ? number(value) : String(value);
  };
}
