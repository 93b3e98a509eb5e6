import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
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
  const navigate = useNavigate();
  const toasts = useToasts();
  // A repeated attempt with the same content is one expense, even if the first answer was lost.
  const attempt = useRef({ content: '', key: '' });
  return useMutation({
    mutationFn: async ({ draft, receipt }: Saving) => {
      const body = creationOf(draft, await receipt());
      const content = JSON.stringify(body);
      if (attempt.current.content !== content)
        attempt.current = { content, key: `console-${crypto.getRandomValues(new Uint32Array(4)).join('-')}` };
      const answer = await client.expenses.create(body, { idempotencyKey: attempt.current.key });
      endWaiting(signedIn.companyId, body.fileId);
      return answer;
    },
    onSuccess: async ({ expenseId, possibleDuplicateOf = [] }) => {
      toasts.say(t('saved', { id: expenseId }));
      void queries.invalidateQueries({ queryKey: ['expenses'] });
      const search = possibleDuplicateOf.length > 0 ? { sameAs: possibleDuplicateOf.join(',') } : {};
      await navigate({ to: '/expenses/$id', params: { id: String(expenseId) }, search: search });
    },
  });
}
