import type { AnswerOf } from '@counterfoil/sdk';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { useTexts } from '../../../app/locale.tsx';
import { CodeSample } from '../../../parts/code-sample.tsx';
import { DELIVERIES } from '../delivery-messages.ts';
import { curlOf, headersOf, indented } from '../sent-request.ts';

interface SentRequestProps {
  readonly delivery: AnswerOf<'GET /webhooks/{id}/deliveries/{deliveryId}'>;
  readonly url: string;
}

/** The request as the receiver gets it, and commands that send it again. */
export function SentRequest({ delivery, url }: SentRequestProps) {
  const t = useTexts(DELIVERIES);
  const event = { ...delivery, url };
  const at = delivery.attempts.at(-1)?.startedAt ?? null;
  const shown = [
    { id: 'indented', text: indented(delivery.body), note: null },
    { id: 'asSent', text: delivery.body, note: null },
    { id: 'headers', text: headersOf(event, at), note: t('headersText') },
    { id: 'curl', text: curlOf(event), note: t('curlText') },
  ] as const;
  return (
    <section className="sent">
      <h2>{t('request')}</h2>
      <Tabs className="tabs">
        <TabList className="tab-list" aria-label={t('request')}>
          {shown.map(({ id }) => (
            <Tab key={id} id={id} className="tab">
              {t(id)}
            </Tab>
          ))}
        </TabList>
        {shown.map(({ id, text, note }) => (
          <TabPanel key={id} id={id}>
            {note !== null && <p className="quiet-text">{note}</p>}
            <CodeSample title={t(id)} text={text} />
          </TabPanel>
        ))}
      </Tabs>
    </section>
  );
}
