import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { useGoOn } from '../../../parts/is-here.ts';
import { useSendOnce } from '../../../parts/send-once.ts';
import { useToasts } from '../../../parts/toasts.tsx';
import { creationOf, type Draft } from '../draft.ts';
import { endWaiting } from '../waiting.ts';
import { NEW_EXPENSE } from './texts.ts';

interface Saving {
  readonly draft: Draft;
  /** Gives the receipt, which may have to be uploaded first. */
  readonly receipt: () => Promise<number>;
}

/** Saves the expense, and goes to it with the duplicates that the service names. */
export function useSaveExpense() {
  const t = useTexts(NEW_EXPENSE);
  const { client, signedIn } = useAccount();
  const queries = useQueryClient();
  const goOn = useGoOn();
  const toasts = useToasts();
  const send = useSendOnce();
  return useMutation({
    mutationFn: async ({ draft, receipt }: Saving) => {
      const body = creationOf(draft, await receipt());
      const answer = await send(body, (options) => client.expenses.create(body, options));
      endWaiting(signedIn.companyId, body.fileId);
      return answer;
    },
    onSuccess: async ({ expenseId, possibleDuplicateOf = [] }) => {
      toasts.say(t('saved', { id: expenseId }));
      void queries.invalidateQueries({ queryKey: ['expenses'] });
      const search = possibleDuplicateOf.length > 0 ? { sameAs: possibleDuplicateOf.join(',') } : {};
      await goOn({ to: '/expenses/$id', params: { id: String(expenseId) }, search });
    },
  });
}
