import { useFormats, useTexts } from '../../../app/locale.tsx';
import { type Attempt, causeOfAttempt, type Delivery } from '../causes.ts';
import { CAUSES } from '../cause-messages.ts';
import { DELIVERIES } from '../delivery-messages.ts';
import { useExactTime } from './exact-time.ts';

/** The service answers with the latest attempts, of very many. */
const SHOWN_MAX = 50;

interface TimeLineProps {
  readonly delivery: Delivery;
  readonly isPaused: boolean;
}

/** The attempts of a delivery in their order, and the next one. */
export function TimeLine({ delivery: { attempts, nextAttemptAt: planned }, isPaused }: TimeLineProps) {
  const t = useTexts(DELIVERIES);
  const { time } = useFormats();
  // Nothing is sent to a paused endpoint, whatever was planned.
  const nextAttemptAt = isPaused ? null : planned;
  return (
    <section className="card">
      <h2>{t('timeLine')}</h2>
      {attempts.length >= SHOWN_MAX && <p className="quiet-text">{t('latest')}</p>}
      {attempts.length === 0 && nextAttemptAt === null && <p className="quiet-text">{t('noAttempt')}</p>}
      <ol className="time-line">
        {attempts.map((attempt) => (
          <AttemptEntry key={attempt.attempt} attempt={attempt} />
        ))}
        {nextAttemptAt !== null && <li className="next">{t('next', { time: time(nextAttemptAt) })}</li>}
      </ol>
    </section>
  );
}

function AttemptEntry({ attempt }: { readonly attempt: Attempt }) {
  const t = useTexts(DELIVERIES);
  const why = useTexts(CAUSES);
  const { number } = useFormats();
  const exactTime = useExactTime();
  const { startedAt, durationMs, status, response } = attempt;
  const cause = causeOfAttempt(attempt);
  return (
    <li className={cause ? 'dropped' : 'delivered'}>
      <p>
        <span className="strong">{t('attempt', { number: number(attempt.attempt) })}</span>{' '}
        <bdi className={cause ? 'bad' : 'good'}>
          {cause ? why(cause.key, cause.values) : `${t('delivered')} (${status})`}
        </bdi>
      </p>
      <p className="quiet-text">
        <time dateTime={startedAt}>{exactTime(startedAt)}</time> · {t('took', { ms: number(durationMs) })}
      </p>
      {response !== null && (
        <details>
          <summary>{t('answer')}</summary>
          {response === '' ? (
            <p className="quiet-text">{t('emptyAnswer')}</p>
          ) : (
            <pre className="answer" dir="auto" tabIndex={0}>
              {response}
            </pre>
          )}
        </details>
      )}
    </li>
  );
}
