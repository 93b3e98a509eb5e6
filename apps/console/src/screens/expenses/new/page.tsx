import { useTexts } from '../../../app/locale.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { useListQuery } from '../../../parts/list-query.ts';
import { PageFrame } from '../../../parts/page.tsx';
import { Begin } from './begin.tsx';
import { ByHand } from './by-hand.tsx';
import { ReadReceipt } from './read-receipt.tsx';
import { NEW_EXPENSE } from './texts.ts';
import { NEW_EXPENSE_TITLE } from './title.ts';

const SDK = [
  'const { fileId } = await counterfoil.files.upload(file);',
  'const { expenseData, confidence, places } = await counterfoil.expenses.extract({ fileId });',
].join('\n');

/** A new expense, in one of three states, which the address names: nothing yet, with a receipt, or by hand. */
export function Page() {
  const title = useTexts(NEW_EXPENSE_TITLE);
  const t = useTexts(NEW_EXPENSE);
  const { search } = useListQuery();
  const fileId = Number(search['fileId']);
  if (Number.isSafeInteger(fileId) && fileId > 0) return <ReadReceipt key={fileId} fileId={fileId} />;
  if (search['by'] === 'hand') return <ByHand />;
  return (
    <PageFrame
      title={title('title')}
      text={t('text')}
      actions={<ApiCall request="GET /expenses/extract-from-file/1" sdk={SDK} />}
    >
      <Begin />
    </PageFrame>
  );
}
