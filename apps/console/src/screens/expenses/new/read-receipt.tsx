import type { Extraction } from '@counterfoil/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { PageFrame } from '../../../parts/page.tsx';
import { Progress } from '../../../parts/progress.tsx';
import { creationOf, draftOfReading, EMPTY_DRAFT } from '../draft.ts';
import { ExpenseForm } from '../expense-form.tsx';
import type { ReadField } from '../places.ts';
import { ReceiptView } from '../receipt-view.tsx';
import { useSaveExpense } from './save-expense.ts';
import { useSuggestedVendor } from './suggested-vendor.ts';
import { NEW_EXPENSE } from './texts.ts';
import { NEW_EXPENSE_TITLE } from './title.ts';

/** Results are kept this long while other pages are shown. */
const KEPT_MS = 60 * 60_000;

function useReading(fileId: number) {
  const { client } = useAccount();
  const [isFilledNow, setFilledNow] = useState(false);
  const reading = useQuery({
    queryKey: ['reading', fileId],
    // Without its signal: the reading goes on while other pages are shown.
    queryFn: () => client.expenses.extract({ fileId }),
    ...{ staleTime: Infinity, gcTime: KEPT_MS, retry: false },
    ...{ refetchOnWindowFocus: false, refetchOnReconnect: false },
  });
  const vendor = useSuggestedVendor(reading.data);
  // Once it has failed, the form stays: another attempt does not take away what was typed.
  const mayFill = isFilledNow || reading.errorUpdateCount > 0 || (reading.isSuccess && vendor.isReady);
  return {
    ...{ reading, vendor, mayFill },
    isInProgress: reading.isFetching && !isFilledNow,
    read: isFilledNow || !vendor.isReady ? undefined : reading.data,
    fillNow: () => setFilledNow(true),
  };
}

/** An uploaded receipt beside the fields that were read from it. */
export function ReadReceipt({ fileId }: { readonly fileId: number }) {
  const title = useTexts(NEW_EXPENSE_TITLE);
  const t = useTexts(NEW_EXPENSE);
  const queries = useQueryClient();
  const [active, setActive] = useState<ReadField | null>(null);
  const link = queries.getQueryData<string>(['receipt-link', fileId]);
  const { reading, vendor, mayFill, isInProgress, read, fillNow } = useReading(fileId);
  return (
    <PageFrame
      title={title('title')}
      text={t(read ? 'read' : 'text')}
      actions={
        <>
          <ApiCall
            request={`GET /expenses/extract-from-file/${fileId}`}
            sdk={`const read = await counterfoil.expenses.extract({ fileId: ${fileId} });`}
          />
          <Link to="/expenses/new" className="button">
            {t('another')}
          </Link>
        </>
      }
    >
      <div className="beside-receipt">
        <div>
          {isInProgress && <InProgress {...(!mayFill && { onFillNow: fillNow })} />}
          {reading.isSuccess && !mayFill && <Loading />}
          {reading.error && <Unread error={reading.error} retry={() => void reading.refetch()} />}
          {mayFill && <CreateForm fileId={fileId} reading={read} vendor={vendor.data} onActive={setActive} />}
        </div>
        <ReceiptView fileId={fileId} link={link} reading={reading.data} active={active} />
      </div>
    </PageFrame>
  );
}

interface UnreadProps {
  readonly error: unknown;
  readonly retry: () => void;
}

function Unread({ error, retry }: UnreadProps) {
  const t = useTexts(NEW_EXPENSE);
  return (
    <>
      <p className="note">{t('unread')}</p>
      <ErrorNotice error={error} retry={retry} />
    </>
  );
}

function InProgress({ onFillNow }: { readonly onFillNow?: () => void }) {
  const t = useTexts(NEW_EXPENSE);
  return (
    <div className="card uploading">
      <Progress label={t('reading')} />
      <p className="quiet-text">{t('readingText')}</p>
      {onFillNow && (
        <Button className="button" onPress={onFillNow}>
          {t('fillNow')}
        </Button>
      )}
    </div>
  );
}

interface CreateFormProps {
  readonly fileId: number;
  readonly reading: Extraction | undefined;
  readonly vendor: { readonly id: number; readonly name: string } | null;
  readonly onActive: (field: ReadField | null) => void;
}

function CreateForm({ fileId, reading, vendor, onActive }: CreateFormProps) {
  const t = useTexts(NEW_EXPENSE);
  const { number } = useFormats();
  const saving = useSaveExpense();
  const isEmpty = reading !== undefined && Object.keys(reading.expenseData).length === 0;
  return (
    <ExpenseForm
      initial={reading ? draftOfReading(reading, vendor) : EMPTY_DRAFT}
      reading={reading}
      submitLabel={t('save')}
      isPending={saving.isPending}
      error={saving.error}
      onSubmit={(draft) => saving.mutate({ draft, receipt: () => Promise.resolve(fileId) })}
      onActive={onActive}
      before={
        <>
          {isEmpty && <p className="note">{t('nothingRead')}</p>}
          {reading?.pages && (
            <p className="note">
              {t('partial', { read: number(reading.pages.read), total: number(reading.pages.total) })}
            </p>
          )}
        </>
      }
      actions={(draft) => (
        <ApiCall
          request="POST /expenses/create"
          sdk={`await counterfoil.expenses.create(${JSON.stringify(creationOf(draft, fileId), null, 2)});`}
          body={creationOf(draft, fileId)}
        />
      )}
    />
  );
}
