import type { BodyOf } from '@counterfoil/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { problemOf } from '../../parts/record-fields.ts';
import { RecordFields, SentChanges } from '../../parts/record-form.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { AccountRows } from './account-rows.tsx';
import { ACCOUNT_FIELDS, accountDrafts, accountProblem, accountsBody } from './bank-accounts.ts';
import { type Company, companyBody, companyDraft, companyFields } from './company-fields.ts';
import { COMPANY } from './texts.ts';

interface EditCompanyProps {
  readonly company: Company;
  readonly onClose: () => void;
}

/** Sends what was changed, and shows it before. */
export function EditCompany({ company, onClose }: EditCompanyProps) {
  const t = useTexts(COMPANY);
  const { client } = useAccount();
  const queries = useQueryClient();
  const toasts = useToasts();
  const [before] = useState(() => ({ draft: companyDraft(company), accounts: accountDrafts(company) }));
  const [draft, setDraft] = useState(before.draft);
  const [accounts, setAccounts] = useState(before.accounts);
  const fields = companyFields(draft);
  const body = { ...companyBody(before.draft, draft), ...accountsBody(before.accounts, accounts) };
  const isEmpty = Object.keys(body).length === 0;
  const isWrong =
    fields.some((field) => problemOf(field, before.draft, draft) !== null) ||
    accounts.some((account) => ACCOUNT_FIELDS.some((field) => accountProblem(field, account) !== null));
  const save = async () => {
    await client.company.edit(body as BodyOf<'PUT /company'>);
    toasts.say(t('saved'));
    void queries.invalidateQueries({ queryKey: ['company'] });
  };
  return (
    <FormDialog
      title={t('editTitle')}
      label={t('save')}
      onClose={onClose}
      onSubmit={save}
      call={() => ({ request: 'PUT /company', sdk: 'company.edit', body })}
      isDisabled={isWrong || isEmpty}
    >
      <RecordFields
        {...{ fields, draft, setDraft }}
        before={before.draft}
        isEdit
        textOf={(name) => t(name as keyof typeof COMPANY.en)}
      />
      <AccountRows accounts={accounts} onChange={setAccounts} />
      <SentChanges isEmpty={isEmpty} />
    </FormDialog>
  );
}
