import { useFormats, useTexts } from '../../../app/locale.tsx';
import { Section } from '../../../parts/facts.tsx';
import type { ChargeRecord, Operation } from '../amounts.ts';
import { useFailure } from '../charge-status.tsx';
import { CHARGE } from './texts.ts';

const LOOKS = { SUCCEEDED: 'delivered', FAILED: 'dropped', PENDING: 'next' } as const;
const WORDS = { SUCCEEDED: 'done', FAILED: 'failed', PENDING: 'pending' } as const;
const COLORS = { SUCCEEDED: 'good', FAILED: 'bad', PENDING: 'quiet-text' } as const;

/** Everything that was asked of the provider, in its order. */
export function TimeLine({ charge }: { readonly charge: ChargeRecord }) {
  const t = useTexts(CHARGE);
  const { operations, currency } = charge;
  return (
    <Section title={t('timeLine')}>
      <ol className="time-line">
        {operations.map((operation) => (
          <Entry key={operation.id} operation={operation} currency={currency} />
        ))}
      </ol>
    </Section>
  );
}

interface EntryProps {
  readonly operation: Operation;
  readonly currency: string;
}

function Entry({ operation, currency }: EntryProps) {
  const t = useTexts(CHARGE);
  const { time, money } = useFormats();
  const failure = useFailure();
  const { kind, state, amount, reason, failureCode, createdAt } = operation;
  return (
    <li className={LOOKS[state]}>
      <p>
        <span className="strong">{t(kind)}</span> <bdi>{money(amount, currency)}</bdi>{' '}
        <span className={COLORS[state]}>{t(WORDS[state])}</span>
      </p>
      {failureCode !== null && <p>{failure(failureCode)}</p>}
      {state === 'PENDING' && <p className="quiet-text">{t('pendingText')}</p>}
      {reason !== null && (
        <p>
          {t('reasonIs')} <bdi>{reason}</bdi>
        </p>
      )}
      <p className="quiet-text">
        <time dateTime={createdAt}>{time(createdAt)}</time>
      </p>
    </li>
  );
}
