import type { AnswerOf } from '@counterfoil/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Checkbox } from 'react-aria-components';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Section } from '../../../parts/facts.tsx';
import { type PlainColumn, PlainTable } from '../../../parts/plain-table.tsx';
import { useToasts } from '../../../parts/toasts.tsx';
import type { Document } from '../types.ts';
import { RECORD } from './texts.ts';

type Reminder = AnswerOf<'GET /documents/id/{id}/reminders'>['reminders'][number];

/** The reminders of a document: which were sent, and whether further ones are. */
export function Reminders({ document: { visibleId } }: { readonly document: Document }) {
  const t = useTexts(RECORD);
  const { date } = useFormats();
  const { client, may } = useAccount();
  const queries = useQueryClient();
  const toasts = useToasts();
  const queryKey = ['documents', 'reminders', visibleId];
  const found = useQuery({ queryKey, queryFn: () => client.documents.reminders(visibleId) });
  const turning = useMutation({
    mutationFn: (enabled: boolean) => client.documents.editReminders(visibleId, { enabled }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
    onError: (error) => toasts.fail(error),
  });
  return (
    <Section title={t('reminders')}>
      {found.error && <ErrorNotice error={found.error} retry={() => void found.refetch()} />}
      {found.data && (
        <>
          <Checkbox
            className="checkbox"
            isSelected={found.data.enabled}
            isDisabled={!may('write') || turning.isPending}
            onChange={(enabled) => turning.mutate(enabled)}
          >
            <span className="check" aria-hidden="true" />
            <span>{t('remindersOn')}</span>
          </Checkbox>
          {found.data.nextDate && <p>{t('nextReminder', { date: date(found.data.nextDate) })}</p>}
          <Sent reminders={found.data.reminders} />
        </>
      )}
    </Section>
  );
}

function Sent({ reminders }: { readonly reminders: readonly Reminder[] }) {
  const t = useTexts(RECORD);
  const { date, number } = useFormats();
  if (reminders.length === 0) return <p className="quiet-text after">{t('noReminders')}</p>;
  const columns: readonly PlainColumn<Reminder>[] = [
    { id: 'date', title: t('reminderDate'), cell: (reminder) => date(reminder.date) },
    { id: 'days', title: t('reminderDays'), cell: ({ days }) => number(days), isNumber: true },
    {
      ...{ id: 'state', title: t('reminderState') },
      cell: ({ status, recipient }) => {
        if (status === null) return t('noAddress');
        if (status === 'queued') return t('reminderQueued');
        return t(status === 'accepted' ? 'reminderAccepted' : 'reminderFailed', {
          recipient: recipient ?? '',
        });
      },
    },
  ];
  return (
    <PlainTable
      label={t('reminders')}
      columns={columns}
      rows={reminders}
      idOf={(reminder) => reminder.date}
    />
  );
}
