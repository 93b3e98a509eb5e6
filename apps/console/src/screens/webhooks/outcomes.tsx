import { useFormats, useTexts } from '../../app/locale.tsx';
import type { Delivery } from './causes.ts';
import { WEBHOOKS } from './texts.ts';

/** A bar for each of the newest deliveries, oldest first, and the count in words. */
export function Outcomes({ newest }: { readonly newest: readonly Delivery[] }) {
  const t = useTexts(WEBHOOKS);
  const { number } = useFormats();
  if (newest.length === 0) return <span className="quiet-text">{t('noDeliveries')}</span>;
  const countOf = (...states: readonly string[]) =>
    newest.filter(({ state }) => states.includes(state)).length;
  const of = (...states: readonly string[]) => number(countOf(...states));
  const retried = countOf('waiting');
  const counts = {
    count: number(newest.length),
    delivered: of('delivered'),
    failed: of('dropped'),
    open: of('pending', 'waiting'),
  };
  return (
    <span className="outcomes">
      <span className="bars" role="img" aria-label={t('outcomesOf', counts)}>
        {newest.toReversed().map(({ id, state }) => (
          <span key={id} className={state} />
        ))}
      </span>
      <span className="quiet-text">{t('ofDelivered', counts)}</span>
      {retried > 0 && <span className="problem">{t('toBeRetried', { retried: number(retried) })}</span>}
    </span>
  );
}
