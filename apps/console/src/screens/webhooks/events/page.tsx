import { useState } from 'react';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { CodeSample } from '../../../parts/code-sample.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { TextFilter } from '../../../parts/filters.tsx';
import { useListQuery } from '../../../parts/list-query.ts';
import { Loading } from '../../../parts/loading.tsx';
import { EmptyState, PageFrame } from '../../../parts/page.tsx';
import { Trail } from '../../../parts/trail.tsx';
import { useEventTypes } from '../endpoint-fields.tsx';
import { EVENTS_TITLE, WEBHOOKS_TITLE } from '../title.ts';
import { EVENTS } from './texts.ts';

export function Page() {
  const title = useTexts(EVENTS_TITLE);
  const webhooks = useTexts(WEBHOOKS_TITLE);
  const t = useTexts(EVENTS);
  const { number } = useFormats();
  const { search } = useListQuery();
  const types = useEventTypes();
  const sought = String(search['q'] ?? '');
  const found = types.data?.data.filter(({ type, description }) =>
    `${type} ${description}`.toLowerCase().includes(sought.toLowerCase()),
  );
  const call = (
    <ApiCall
      request="GET /webhooks/event-types"
      sdk={'const { data } = await counterfoil.webhooks.eventTypes();'}
    />
  );
  return (
    <>
      <Trail steps={[{ to: '/webhooks', text: webhooks('title') }]} />
      <PageFrame title={title('title')} text={t('text')} actions={call}>
        <div className="search">
          <TextFilter name="q" label={t('search')} kind="search" />
        </div>
        {types.error && <ErrorNotice error={types.error} retry={() => void types.refetch()} />}
        {types.isPending && <Loading />}
        {found && <p className="quiet-text count-line">{t('found', { count: number(found.length) })}</p>}
        {found?.length === 0 && <EmptyState title={t('none')} />}
        {found?.map((one) => (
          <EventType key={one.type} {...one} />
        ))}
      </PageFrame>
    </>
  );
}

interface EventTypeProps {
  readonly type: string;
  readonly description: string;
  readonly schema: unknown;
  readonly example: unknown;
}

function EventType({ type, description, schema, example }: EventTypeProps) {
  const t = useTexts(EVENTS);
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="event-type" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>
          <code>{type}</code>
        </h2>
        <bdi className="quiet-text" lang="en" dir="ltr">
          {description}
        </bdi>
      </summary>
      {isOpen && (
        <>
          <CodeSample title={t('example')} text={JSON.stringify(example, null, 2)} />
          <CodeSample title={t('schema')} text={JSON.stringify(schema, null, 2)} />
        </>
      )}
    </details>
  );
}
