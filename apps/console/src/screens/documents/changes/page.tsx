import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { Button } from 'react-aria-components';
import { guide } from '../../../app/addresses.ts';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Section } from '../../../parts/facts.tsx';
import { Choice } from '../../../parts/fields.tsx';
import { useListQuery } from '../../../parts/list-query.ts';
import { Loading } from '../../../parts/loading.tsx';
import { EmptyState, PageFrame } from '../../../parts/page.tsx';
import { type PlainColumn, PlainTable } from '../../../parts/plain-table.tsx';
import { Status } from '../status.tsx';
import { DOCUMENTS } from '../texts.ts';
import { useChanges } from './feed.ts';
import { CHANGES } from './texts.ts';
import { CHANGES_TITLE } from './title.ts';
import { type ChangedDocument, newestFirst, wordingOf } from './wording.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PERIODS = { HOUR: HOUR_MS, DAY: DAY_MS, WEEK: 7 * DAY_MS, MONTH: 31 * DAY_MS, YEAR: 366 * DAY_MS };
type Period = keyof typeof PERIODS;
const PERIOD_NAMES = Object.keys(PERIODS) as Period[];
const SHOWN = 50;

/** The change feed as a person reads it: the newest change first. */
export function Page() {
  const title = useTexts(CHANGES_TITLE)('title');
  const t = useTexts(CHANGES);
  const { search, change } = useListQuery();
  const period = PERIOD_NAMES.find((one) => one === search['since']) ?? 'WEEK';
  // Kept while the page is open: the cursor goes on from there.
  const updatedSince = useMemo(() => new Date(Date.now() - PERIODS[period]).toISOString(), [period]);
  const call = (
    <ApiCall
      request={`GET /documents?updatedSince=${updatedSince}&limit=200`}
      sdk={`let checkpoint = await load();\nfor await (const change of counterfoil.documents.changes({ checkpoint, since: '${updatedSince}' })) {\n  await store(change.document);\n  await save(change.checkpoint);\n}`}
    />
  );
  return (
    <PageFrame title={title} text={t('text')} actions={call}>
      <div className="filters">
        <Choice
          label={t('since')}
          value={period}
          onChange={(since) => change({ since })}
          options={PERIOD_NAMES.map((value) => ({ value, text: t(value) }))}
        />
      </div>
      <Feed key={updatedSince} updatedSince={updatedSince} />
    </PageFrame>
  );
}

function Feed({ updatedSince }: { readonly updatedSince: string }) {
  const t = useTexts(CHANGES);
  const { number } = useFormats();
  const { pages, hasMore, isFetching, error, fetchNextPage, refetch } = useChanges(updatedSince);
  const [shown, setShown] = useState(SHOWN);
  const changes = newestFirst(pages);
  // Without any change yet, there is no cursor: the sweep begins again.
  const go = () => void (pages.at(-1)?.checkpoint ? fetchNextPage() : refetch());
  if (pages.length === 0)
    return error ? <ErrorNotice error={error} retry={() => void refetch()} /> : <Loading />;
  return (
    <div className="stack">
      {error && <ErrorNotice error={error} retry={go} />}
      <div className="actions">
        <Button className="button small" onPress={go} isDisabled={isFetching}>
          {t(hasMore ? 'newer' : 'look')}
        </Button>
        {!hasMore && <span className="quiet-text">{t('live')}</span>}
      </div>
      {changes.length === 0 ? (
        <EmptyState title={t('empty')}>
          <p>{t('emptyText')}</p>
        </EmptyState>
      ) : (
        <Changes changes={changes.slice(0, shown)} />
      )}
      {changes.length > 0 && (
        <div className="pager">
          <span>
            {t('shown', {
              shown: number(Math.min(shown, changes.length)),
              loaded: number(changes.length),
            })}
          </span>
          {changes.length > shown && (
            <Button className="button small" onPress={() => setShown(shown + SHOWN)}>
              {t('more')}
            </Button>
          )}
        </div>
      )}
      <Sweep />
    </div>
  );
}

function Sweep() {
  const t = useTexts(CHANGES);
  return (
    <Section title={t('sweep')}>
      <p>{t('sweepText')}</p>
      <p className="after">
        <a href={guide('change-feed')}>{t('sweepMore')}</a>
      </p>
    </Section>
  );
}

function Changes({ changes }: { readonly changes: readonly ChangedDocument[] }) {
  const title = useTexts(CHANGES_TITLE)('title');
  const t = useTexts(CHANGES);
  const d = useTexts(DOCUMENTS);
  const { time, money } = useFormats();
  const columns: readonly PlainColumn<ChangedDocument>[] = [
    { id: 'time', title: t('time'), cell: ({ updatedAt }) => time(updatedAt) },
    { id: 'change', title: t('change'), cell: (document) => <What document={document} /> },
    { id: 'status', title: d('status'), cell: ({ status }) => <Status status={status} /> },
    {
      ...{ id: 'total', title: d('total'), isNumber: true },
      cell: ({ totalWithTax, currency }) => <span className="strong">{money(totalWithTax, currency)}</span>,
    },
  ];
  return <PlainTable label={title} columns={columns} rows={changes} idOf={({ visibleId }) => visibleId} />;
}

/** A sentence in which the name of the document is the link to it. */
function What({ document }: { readonly document: ChangedDocument }) {
  const t = useTexts(CHANGES);
  const d = useTexts(DOCUMENTS);
  const { money } = useFormats();
  const { type, number, visibleId, remainingAmount, currency, cancellationReason } = document;
  const link = (
    <Link to="/documents/$id" params={{ id: visibleId }} className="strong">
      {d('number', { type: d(type), number })}
    </Link>
  );
  const sentence = t(wordingOf(document), {
    remaining: money(remainingAmount, currency),
    number: document.taxAuthorityApprovalNumber ?? '',
  });
  return (
    <span className="wraps wide">
      {around(sentence, link)}
      {cancellationReason !== null && (
        <span className="quiet-text">
          {' '}
          {t('reason')} <bdi>{cancellationReason}</bdi>
        </span>
      )}
    </span>
  );
}

/** Puts the link in the place of `{name}`. */
function around(sentence: string, link: ReactNode): ReactNode {
  const [before, ...after] = sentence.split('{name}');
  return (
    <>
      {before}
      {link}
      {after.join('{name}')}
    </>
  );
}
