import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, FileTrigger } from 'react-aria-components';
import { useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { useGoOn } from '../../../parts/is-here.ts';
import { Progress } from '../../../parts/progress.tsx';
import { useToasts } from '../../../parts/toasts.tsx';
import { useUpload } from '../../../parts/upload.ts';
import { changesOf, type Draft, draftOfExpense, type EditExpense, type ExpenseRow } from '../draft.ts';
import { ExpenseForm } from '../expense-form.tsx';
import { EXPENSE } from './texts.ts';

/** The names of the fields of an edit, as the page has them. */
const NAMES = {
  vendorId: 'vendor',
  date: 'date',
  documentNumber: 'documentNumber',
  currency: 'currency',
  total: 'total',
  tax: 'tax',
  deductableTax: 'deductable',
  title: 'purpose',
  notes: 'notes',
  isEquipment: 'equipment',
  fileId: 'fileId',
} as const;

interface EditExpenseFormProps {
  readonly row: ExpenseRow;
  readonly onEnd: () => void;
}

/** Changes an expense, and says beforehand what will be changed and what will be cleared. */
export function EditExpenseForm({ row, onEnd }: EditExpenseFormProps) {
  const t = useTexts(EXPENSE);
  const { client } = useAccount();
  const queries = useQueryClient();
  const goOn = useGoOn();
  const toasts = useToasts();
  const { id } = row.expense;
  const [receipt, setReceipt] = useState<{ readonly fileId: number; readonly name: string }>();
  // As the form begins: what somebody else changes meanwhile is not undone.
  const [before] = useState(() => draftOfExpense(row));
  const editOf = (draft: Draft): EditExpense => ({
    ...changesOf(before, draft),
    ...(receipt && { fileId: receipt.fileId }),
  });
  const saving = useMutation({
    mutationFn: async (edit: EditExpense) =>
      Object.keys(edit).length === 0 ? null : client.expenses.edit(id, edit),
    onSuccess: async (answer) => {
      toasts.say(answer ? t('saved', { id }) : t('unchanged'));
      await queries.invalidateQueries({ queryKey: ['expenses'] });
      const sameAs = answer?.possibleDuplicateOf?.join(',');
      await goOn({ to: '.', search: sameAs ? { sameAs } : {} });
      onEnd();
    },
  });
  return (
    <ExpenseForm
      initial={before}
      ownId={id}
      submitLabel={t('save')}
      isPending={saving.isPending}
      error={saving.error}
      hasMore={receipt !== undefined}
      onSubmit={(draft) => saving.mutate(editOf(draft))}
      before={
        <>
          <p className="quiet-text">{t('rules')}</p>
          <ReplaceReceipt name={receipt?.name} onReplaced={setReceipt} />
        </>
      }
      actions={(draft) => (
        <>
          <Button className="button" onPress={onEnd}>
            {t('cancel')}
          </Button>
          <ApiCall
            request={`PUT /expenses/edit/${id}`}
            sdk={`await counterfoil.expenses.edit(${id}, ${JSON.stringify(editOf(draft), null, 2)});`}
            body={editOf(draft)}
          />
          <Effect edit={editOf(draft)} />
        </>
      )}
    />
  );
}

function Effect({ edit }: { readonly edit: EditExpense }) {
  const t = useTexts(EXPENSE);
  const entries = Object.entries(edit);
  const namesOf = (some: typeof entries) =>
    some.map(([name]) => (name in NAMES ? t(NAMES[name as keyof typeof NAMES]) : name)).join(', ');
  const cleared = entries.filter(([, value]) => value === '');
  const changed = entries.filter(([, value]) => value !== '');
  return (
    <p className="quiet-text effect" role="status">
      {entries.length === 0 && t('noChange')}
      {changed.length > 0 && <span>{t('willChange', { fields: namesOf(changed) })}</span>}
      {cleared.length > 0 && <span>{t('willClear', { fields: namesOf(cleared) })}</span>}
    </p>
  );
}

interface ReplaceReceiptProps {
  readonly name: string | undefined;
  readonly onReplaced: (receipt: { readonly fileId: number; readonly name: string }) => void;
}

function ReplaceReceipt({ name, onReplaced }: ReplaceReceiptProps) {
  const t = useTexts(EXPENSE);
  const { upload, percent } = useUpload();
  const uploading = useMutation({
    mutationFn: (file: File) => upload(file),
    onSuccess: ({ fileId, file }) => onReplaced({ fileId, name: file.fileName }),
  });
  return (
    <div>
      {uploading.isPending ? (
        <Progress
          label={t('uploading', { name: uploading.variables.name })}
          {...(percent !== undefined && { value: percent })}
        />
      ) : (
        <FileTrigger onSelect={(files) => files?.[0] && uploading.mutate(files[0])}>
          <Button className="button small">{t('replace')}</Button>
        </FileTrigger>
      )}
      {name !== undefined && (
        <p role="status">
          <bdi>{t('replaced', { name })}</bdi>
        </p>
      )}
      {uploading.error && (
        <ErrorNotice error={uploading.error} retry={() => uploading.mutate(uploading.variables)} />
      )}
    </div>
  );
}
