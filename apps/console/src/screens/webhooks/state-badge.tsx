import { useFormats, useTexts } from '../../app/locale.tsx';
import type { Endpoint } from './causes.ts';
import type { DeliveryState } from './delivery-filters.ts';
import { DELIVERIES } from './delivery-messages.ts';
import { WEBHOOKS } from './texts.ts';

export function DeliveryBadge({ state }: { readonly state: DeliveryState }) {
  const t = useTexts(DELIVERIES);
  return <span className={`state-badge ${state}`}>{t(state)}</span>;
}

export function EndpointBadge({ pausedAt }: Pick<Endpoint, 'pausedAt'>) {
  const t = useTexts(WEBHOOKS);
  const { time } = useFormats();
  if (pausedAt === null) return <span className="state-badge delivered">{t('active')}</span>;
  return (
    <span className="state-badge waiting" title={t('pausedSince', { time: time(pausedAt) })}>
      {t('paused')}
    </span>
  );
}
