import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { useGoOn } from '../../../parts/is-here.ts';
import { useListQuery } from '../../../parts/list-query.ts';
import { Loading } from '../../../parts/loading.tsx';
import { EmptyState, PageFrame } from '../../../parts/page.tsx';
import { useParam } from '../../../parts/params.ts';
import { useToasts } from '../../../parts/toasts.tsx';
import type { ExpenseRow } from '../draft.ts';
import { DuplicateNotice, idsIn } from '../duplicate-notice.tsx';
import { ReceiptView } from '../receipt-view.tsx';
import { EditExpenseForm } from './edit-form.tsx';
import { ExpenseFacts } from './facts.tsx';
import { EXPENSE } from './texts.ts';

export function Page() {
  const t = useTexts(EXPENSE);
  const { client } = useAccount();
  const named = useParam('id');
  const id = Number(named);
  const expense = useQuery({
    queryKey: ['expenses', 'one', id],
    queryFn: () => client.expenses.get(id),
  });
  if (expense.data) return <Shown key={id} row={expense.data} />;
  return (
    <PageFrame title={t('numbered', { id: named })}>
      {expense.error && <ErrorNotice error={expense.error} retry={() => void expense.refetch()} />}
      {expense.isPending && <Loading />}
      {expense.data === null && (
        <EmptyState title={t('missing')}>
          <p>{t('missingText')}</p>
          <ToList />
        </EmptyState>
      )}
    </PageFrame>
  );
}

function ToList() {
  const t = useTexts(EXPENSE);
  return (
    <Link to="/expenses" className="button">
      {t('toList')}
    </Link>
  );
}

function Shown({ row }: { readonly row: ExpenseRow }) {
  const t = useTexts(EXPENSE);
  const { may } = useAccount();
  const { search } = useListQuery();
  const [isEditing, setEditing] = useState(false);
  const { id, fileId } = row.expense;
  return (
    <PageFrame
      title={t('numbered', { id })}
      actions={
        <>
          <ApiCall request={`GET /expenses/id/${id}`} sdk={`await counterfoil.expenses.get(${id});`} />
          <ToList />
          {may('write') && <DeleteExpense id={id} />}
          {may('write') && !isEditing && (
            <Button className="button primary" onPress={() => setEditing(true)}>
              {t('edit')}
            </Button>
          )}
        </>
      }
    >
      <DuplicateNotice ids={idsIn(search['sameAs'])} />
      <div className="beside-receipt">
        {isEditing ? (
          <EditExpenseForm row={row} onEnd={() => setEditing(false)} />
        ) : (
          <ExpenseFacts row={row} />
        )}
        {fileId !== null && <ReceiptView key={fileId} fileId={fileId} link={row.file.remoteUrl} />}
      </div>
    </PageFrame>
  );
}

function DeleteExpense({ id }: { readonly id: number }) {
  const t = useTexts(EXPENSE);
  const { client } = useAccount();
  const queries = useQueryClient();
  const goOn = useGoOn();
  const toasts = useToasts();
  const deleting = useMutation({
    mutationFn: () => client.expenses.delete(id),
    onSuccess: async () => {
      toasts.say(t('deleted', { id }));
      await goOn({ to: '/expenses' });
      queries.removeQueries({ queryKey: ['expenses', 'one', id] });
      await queries.invalidateQueries({ queryKey: ['expenses'] });
    },
    onError: (error) => toasts.fail(error),
  });
  return (
    <Confirm label={t('delete')} title={t('deleteQuestion')} onConfirm={() => deleting.mutate()}>
      {t('deleteText')}
    </Confirm>
  );
}
