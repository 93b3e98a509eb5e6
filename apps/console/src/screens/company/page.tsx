import type { AnswerOf } from '@counterfoil/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFormats, useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { ApiCall } from '../../parts/api-call.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Loading } from '../../parts/loading.tsx';
import { PageFrame } from '../../parts/page.tsx';
import { COMPANY } from './texts.ts';
import { COMPANY_TITLE } from './title.ts';

type Company = AnswerOf<'GET /company'>;

export function Page() {
  const title = useTexts(COMPANY_TITLE);
  const t = useTexts(COMPANY);
  const { client } = useAccount();
  const company = useQuery({ queryKey: ['company'], queryFn: () => client.company.get() });
  const call = <ApiCall request="GET /company" sdk="await counterfoil.company.get();" />;
  return (
    <PageFrame title={title('title')} text={t('text')} actions={call}>
      {company.error && <ErrorNotice error={company.error} retry={() => void company.refetch()} />}
      {company.isPending && <Loading />}
      {company.data && <Facts company={company.data} />}
    </PageFrame>
  );
}

function Facts({ company }: { readonly company: Company }) {
  const t = useTexts(COMPANY);
  const { date, number } = useFormats();
  const term = t(company.defaultPaymentTermType);
  const language = company.documentLanguage;
  const daysOf = (count: number) =>
    count === 0
      ? t('onDueDate')
      : t(count < 0 ? 'beforeDueDate' : 'afterDueDate', { days: number(Math.abs(count)) });
  const reminders = company.reminderDays.map(daysOf).join(', ') || t('noReminders');
  return (
    <div className="cards">
      <Card title={t('identity')}>
        <Fact name={t('name')} value={company.name} />
        <Fact name={t('legalName')} value={company.legalName} />
        <Fact name={t('taxId')} value={company.taxId} />
        <Fact name={t('address')} value={addressOf(company)} />
        <Fact name={t('phone')} value={company.phoneNumber} />
        <Fact name={t('email')} value={company.email} />
        <Fact name={t('website')} value={company.website} />
      </Card>
      <Card title={t('defaults')}>
        <Fact name={t('vat')} value={t('percent', { value: number(company.defaultVatRate) })} />
        <Fact
          name={t('withholding')}
          value={t('percent', { value: number(company.defaultWithholdingTaxRate) })}
        />
        <Fact
          name={t('term')}
          value={
            company.defaultPaymentTermDays > 0
              ? t('days', { type: term, days: number(company.defaultPaymentTermDays) })
              : term
          }
        />
        <Fact name={t('rounding')} value={company.roundDocumentTotal === 'round' ? t('round') : t('none')} />
        <Fact name={t('booksClosed')} value={company.booksClosedUntil && date(company.booksClosedUntil)} />
        <Fact name={t('language')} value={language ? t(language) : t('byText')} />
        <Fact name={t('footer')} value={company.documentFooter} />
        <Fact name={t('reminders')} value={reminders} />
      </Card>
      <Card title={t('bank')} empty={company.bankAccounts.length === 0 ? t('noBank') : undefined}>
        {company.bankAccounts.map(({ bank, branch, account, iban }) => (
          <Fact
            key={bank + account}
            name={bank}
            value={[branch, account, iban].filter(Boolean).join(' · ')}
          />
        ))}
      </Card>
    </div>
  );
}

function addressOf({ address }: Company): string | null {
  if (!address) return null;
  const { street, houseNumber, city, zipCode, country } = address;
  const line = [street, houseNumber].filter(Boolean).join(' ');
  return [line, [zipCode, city].filter(Boolean).join(' '), country].join(', ');
}

interface CardProps {
  readonly title: string;
  /** Shown in place of the facts. */
  readonly empty?: string | undefined;
  readonly children: ReactNode;
}

function Card({ title, empty, children }: CardProps) {
  return (
    <section className="card">
      <h2>{title}</h2>
      {empty === undefined ? <dl className="facts">{children}</dl> : <p className="quiet-text">{empty}</p>}
    </section>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string | null }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <bdi>{value || '—'}</bdi>
      </dd>
    </>
  );
}
