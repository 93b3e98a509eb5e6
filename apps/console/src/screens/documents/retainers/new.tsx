import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Section } from '../../../parts/facts.tsx';
import { Choice, TextInput } from '../../../parts/fields.tsx';
import { useGoOn } from '../../../parts/is-here.ts';
import { LeaveGuard } from '../../../parts/leave-guard.tsx';
import { PageFrame } from '../../../parts/page.tsx';
import { PartyPicker } from '../../../parts/party-picker.tsx';
import { useSendOnce } from '../../../parts/send-once.ts';
import { useToasts } from '../../../parts/toasts.tsx';
import { todayInIsrael } from '../../../parts/today.ts';
import { Trail } from '../../../parts/trail.tsx';
import { Items } from '../issue/items.tsx';
import { DOCUMENTS } from '../texts.ts';
import { isRetainerComplete, NEW_RETAINER, type RetainerDraft, retainerBody } from './draft.ts';
import { countDueAtOnce, INTERVALS, MISSED_RUNS_MAX, RETAINER_TYPES } from './runs.ts';
import { RETAINERS } from './texts.ts';
import { NEW_RETAINER_TITLE, RETAINERS_TITLE } from './title.ts';

export function Page() {
  const title = useTexts(NEW_RETAINER_TITLE)('title');
  const list = useTexts(RETAINERS_TITLE)('title');
  const t = useTexts(RETAINERS);
  const [draft, setDraft] = useState(NEW_RETAINER);
  const put = (part: Partial<RetainerDraft>) => setDraft({ ...draft, ...part });
  const body = retainerBody(draft);
  const call = (
    <ApiCall
      request="POST /retainers/create"
      sdk={`const { retainerId } = await counterfoil.retainers.create(${JSON.stringify(body, null, 2)});`}
      body={body}
    />
  );
  return (
    <>
      <Trail steps={[{ to: '/retainers', text: list }]} />
      <PageFrame title={title} text={t('newText')} actions={call}>
        <div className="stack">
          <Details draft={draft} put={put} />
          <Items items={draft.items} onChange={(items) => put({ items })} />
          <p className="quiet-text">{t('vat')}</p>
          <Create draft={draft} />
        </div>
      </PageFrame>
    </>
  );
}

interface DetailsProps {
  readonly draft: RetainerDraft;
  readonly put: (part: Partial<RetainerDraft>) => void;
}

function Details({ draft, put }: DetailsProps) {
  const t = useTexts(RETAINERS);
  const d = useTexts(DOCUMENTS);
  const { number } = useFormats();
  const due = countDueAtOnce(draft.nextRunDate, draft.interval, todayInIsrael());
  return (
    <Section title={t('details')}>
      <div className="form-grid">
        <PartyPicker chosen={draft.party} onChoose={(party) => put({ party })} />
        <Choice
          label={d('type')}
          value={draft.documentType}
          onChange={(documentType) => put({ documentType })}
          options={RETAINER_TYPES.map((value) => ({ value, text: d(value) }))}
          {...(draft.documentType === 'TAX_INVOICE_RECEIPT' && { help: t('countsAsPaid') })}
        />
        <Choice
          label={t('every')}
          value={draft.interval}
          onChange={(interval) => put({ interval })}
          options={INTERVALS.map((value) => ({ value, text: t(value) }))}
        />
        <TextInput
          label={t('next')}
          kind="date"
          value={draft.nextRunDate}
          onChange={(nextRunDate) => put({ nextRunDate })}
          help={t('nextHelp')}
          problem={due > MISSED_RUNS_MAX ? t('tooMany', { max: number(MISSED_RUNS_MAX) }) : undefined}
        />
        <TextInput
          label={d('currency')}
          kind="code"
          maxLength={3}
          value={draft.currency}
          onChange={(currency) => put({ currency: currency.toUpperCase() })}
        />
      </div>
      {due > 0 && due <= MISSED_RUNS_MAX && (
        <p className="note after" role="status">
          {t('dueNow', { count: number(due) })}
        </p>
      )}
    </Section>
  );
}

function Create({ draft }: { readonly draft: RetainerDraft }) {
  const t = useTexts(RETAINERS);
  const d = useTexts(DOCUMENTS);
  const { date } = useFormats();
  const { client } = useAccount();
  const queries = useQueryClient();
  const goOn = useGoOn();
  const toasts = useToasts();
  const send = useSendOnce();
  const body = retainerBody(draft);
  const creating = useMutation({
    mutationFn: () => send(body, (options) => client.retainers.create(body, options)),
    onSuccess: async () => {
      toasts.say(t('created'));
      void queries.invalidateQueries({ queryKey: ['retainers'] });
      await goOn({ to: '/retainers' });
    },
  });
  const { documentType, party, interval, nextRunDate } = draft;
  const isReady = isRetainerComplete(draft) && !creating.isPending;
  return (
    <>
      <LeaveGuard isChanged={() => draft !== NEW_RETAINER && !creating.isPending} />
      {creating.error && <ErrorNotice error={creating.error} />}
      <div className="actions end">
        {isReady ? (
          <Confirm label={t('create')} title={t('question')} isMain onConfirm={() => creating.mutate()}>
            {t('consequence', {
              ...{ type: d(documentType), name: party?.name ?? '' },
              ...{ every: t(interval), date: date(nextRunDate) },
            })}
          </Confirm>
        ) : (
          <Button className="button primary" isDisabled>
            {t(creating.isPending ? 'creating' : 'create')}
          </Button>
        )}
      </div>
    </>
  );
}
