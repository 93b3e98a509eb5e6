import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useFormats, useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { addressLine } from '../../parts/address-fields.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Facts, Section } from '../../parts/facts.tsx';
import { Loading } from '../../parts/loading.tsx';
import { PageFrame } from '../../parts/page.tsx';
import type { Company } from './company-fields.ts';
import { EditCompany } from './edit-company.tsx';
import { Logo } from './logo.tsx';
import { COMPANY } from './texts.ts';
import { COMPANY_TITLE } from './title.ts';

/** The profile of the company on documents, and the defaults of new ones. An owner changes them here. */
export function Page() {
  const title = useTexts(COMPANY_TITLE);
  const t = useTexts(COMPANY);
  const { client, may } = useAccount();
  const [isEditing, setEditing] = useState(false);
  const company = useQuery({ queryKey: ['company'], queryFn: () => client.company.get() });
  const actions = (
    <>
      <ApiCall request="GET /company" sdk="await counterfoil.company.get();" />
      {company.data && may('administer') && (
        <Button className="button primary" onPress={() => setEditing(true)}>
          {t('edit')}
        </Button>
      )}
    </>
  );
  return (
    <PageFrame title={title('title')} text={t('text')} actions={actions}>
      {company.error && <ErrorNotice error={company.error} retry={() => void company.refetch()} />}
      {company.isPending && <Loading />}
      {company.data && <Cards company={company.data} />}
      {company.data && isEditing && <EditCompany company={company.data} onClose={() => setEditing(false)} />}
    </PageFrame>
  );
}

function Cards({ company }: { readonly company: Company }) {
  const t = useTexts(COMPANY);
  const { bankAccounts } = company;
  return (
    <div className="cards">
      <Section title={t('group_identity')}>
        <Facts
          facts={[
            { name: t('name'), value: company.name },
            { name: t('legalName'), value: company.legalName },
            { name: t('taxId'), value: company.taxId },
            { name: t('address'), value: company.address && addressLine(company.address) },
            { name: t('phoneNumber'), value: company.phoneNumber },
            { name: t('email'), value: company.email },
            { name: t('website'), value: company.website },
          ]}
        />
      </Section>
      <Section title={t('group_pages')}>
        <Facts
          facts={[
            { name: t('documentLanguage'), value: t(company.documentLanguage ?? 'byText') },
            { name: t('accentColor'), value: <Colour value={company.accentColor} /> },
            { name: t('documentFooter'), value: company.documentFooter },
          ]}
        />
      </Section>
      <Logo logo={company.logoFile} />
      <Defaults company={company} />
      <Section title={t('bankAccounts')}>
        {bankAccounts.length === 0 && <p className="quiet-text">{t('noBank')}</p>}
        <Facts
          facts={bankAccounts.map(({ bank, branch, account, iban }) => ({
            name: bank,
            value: [branch, account, iban].filter(Boolean).join(' · '),
          }))}
        />
      </Section>
    </div>
  );
}

function Defaults({ company }: { readonly company: Company }) {
  const t = useTexts(COMPANY);
  const { date, number } = useFormats();
  const { defaultPaymentTermType, defaultPaymentTermDays: days, booksClosedUntil } = company;
  const term = t(defaultPaymentTermType);
  const daysOf = (count: number) =>
    count === 0
      ? t('onDueDate')
      : t(count < 0 ? 'beforeDueDate' : 'afterDueDate', { days: number(Math.abs(count)) });
  const percent = (value: number) => t('percent', { value: number(value) });
  return (
    <Section title={t('group_defaults')}>
      <Facts
        facts={[
          { name: t('vat'), value: percent(company.defaultVatRate) },
          { name: t('withholding'), value: percent(company.defaultWithholdingTaxRate) },
          {
            name: t('defaultPaymentTermType'),
            value: days > 0 ? t('days', { type: term, days: number(days) }) : term,
          },
          {
            name: t('roundDocumentTotal'),
            value: t(company.roundDocumentTotal === 'round' ? 'round' : 'none'),
          },
          { name: t('booksClosedUntil'), value: booksClosedUntil && date(booksClosedUntil) },
          { name: t('reminders'), value: company.reminderDays.map(daysOf).join(', ') || t('noReminders') },
        ]}
      />
    </Section>
  );
}

function Colour({ value }: { readonly value: string | null }) {
  if (value === null) return '—';
  return (
    <>
      <svg className="swatch" viewBox="0 0 1 1" aria-hidden="true">
        <rect width="1" height="1" fill={value} />
      </svg>
      <code>{value}</code>
    </>
  );
}
