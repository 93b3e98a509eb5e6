import { useState } from 'react';
import { useTexts } from '../../../app/locale.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { FileDrop } from '../../../parts/drop-zone.tsx';
import { TextInput } from '../../../parts/fields.tsx';
import { PageFrame } from '../../../parts/page.tsx';
import { useUpload } from '../../../parts/upload.ts';
import { creationOf, EMPTY_DRAFT } from '../draft.ts';
import { ExpenseForm } from '../expense-form.tsx';
import { useSaveExpense } from './save-expense.ts';
import { NEW_EXPENSE } from './texts.ts';
import { NEW_EXPENSE_TITLE } from './title.ts';

/** An expense that is typed. Its receipt is kept and not read; a note may take its place. */
export function ByHand() {
  const title = useTexts(NEW_EXPENSE_TITLE);
  const t = useTexts(NEW_EXPENSE);
  const { upload } = useUpload();
  const [file, setFile] = useState<File | null>(null);
  const [note, setNote] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [uploaded, setUploaded] = useState<{ readonly source: File | string; readonly fileId: number }>();
  const saving = useSaveExpense();
  const source = file ?? note.trim();
  const receipt = async (): Promise<number> => {
    if (uploaded?.source === source) return uploaded.fileId;
    const { fileId } = await (typeof source === 'string'
      ? upload(new Blob([source]), { filename: 'no-receipt.txt' })
      : upload(source));
    setUploaded({ source, fileId });
    return fileId;
  };
  const chooser = (
    <section aria-label={t('receiptFile')}>
      <FileDrop
        label={t('dropOne')}
        chooseLabel={t('choose')}
        accept={[]}
        onFiles={([one]) => setFile(one ?? null)}
      >
        {file && (
          <p role="status">
            <bdi>{t('chosen', { name: file.name })}</bdi>
          </p>
        )}
      </FileDrop>
      {!file && (
        <TextInput
          label={t('noReceipt')}
          value={note}
          onChange={setNote}
          help={t('noReceiptHint')}
          problem={isMissing && source === '' ? t('needReceipt') : undefined}
          kind="long"
        />
      )}
    </section>
  );
  return (
    <PageFrame title={title('title')} text={t('byHandText')}>
      <div className="by-hand">
        <ExpenseForm
          initial={EMPTY_DRAFT}
          submitLabel={t('save')}
          isPending={saving.isPending}
          error={saving.error}
          hasMore={source !== ''}
          onSubmit={(draft) => {
            setMissing(source === '');
            if (source !== '') saving.mutate({ draft, receipt });
          }}
          before={chooser}
          actions={(draft) => (
            <ApiCall
              request="POST /expenses/create"
              sdk={`const { fileId } = await counterfoil.files.upload(file);\nawait counterfoil.expenses.create({ ...expense, fileId });`}
              body={creationOf(draft, uploaded?.fileId ?? 1)}
            />
          )}
        />
      </div>
    </PageFrame>
  );
}
