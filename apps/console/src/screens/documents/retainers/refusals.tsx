import { errorPage } from '../../../app/addresses.ts';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { ServiceText } from '../../../parts/error-notice.tsx';
import { Section } from '../../../parts/facts.tsx';
import { DOCUMENTS } from '../texts.ts';
import { adviceOf, type Retainer } from './runs.ts';
import { RETAINERS } from './texts.ts';

const SHOWN = 10;

/** Says of each refused document why, and what to do. */
export function Refusals({ retainers }: { readonly retainers: readonly Retainer[] }) {
  const t = useTexts(RETAINERS);
  const refused = retainers.filter(({ refusal }) => refusal !== null);
  if (refused.length === 0) return null;
  return (
    <Section title={t('refusals')}>
      <ul className="stack">
        {refused.slice(0, SHOWN).map((one) => (
          <Refusal key={one.id} retainer={one} />
        ))}
      </ul>
    </Section>
  );
}

function Refusal({ retainer }: { readonly retainer: Retainer }) {
  const t = useTexts(RETAINERS);
  const d = useTexts(DOCUMENTS);
  const { date, number, time } = useFormats();
  const { refusal, documentType, entity } = retainer;
  if (refusal === null) return null;
  const { runDate, code, error, attempts, nextAttemptAt } = refusal;
  return (
    <li className="sent">
      <h3>
        <bdi>{t('refusal', { type: d(documentType), date: date(runDate), name: entity.name })}</bdi>
      </h3>
      <p>
        {t('reason')} <ServiceText>{error}</ServiceText>
      </p>
      <p>{t(adviceOf(code))}</p>
      <p className="quiet-text">
        {t('tried', { count: number(attempts), time: time(nextAttemptAt) })}{' '}
        <a href={errorPage(code)}>{t('meaning', { code })}</a>
      </p>
    </li>
  );
}
