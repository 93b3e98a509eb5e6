import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { useTexts } from '../../../app/locale.tsx';
import { Choice, TextInput } from '../../../parts/fields.tsx';
import { useListQuery } from '../../../parts/list-query.ts';
import { deliveryFiltersOf, STATES } from '../delivery-filters.ts';
import { DELIVERIES } from '../delivery-messages.ts';
import { useEventTypes } from '../endpoint-fields.tsx';
import { isoTime, localTime } from '../../../parts/local-time.ts';

/** The filters of deliveries, which the address keeps. */
export function Filters() {
  const t = useTexts(DELIVERIES);
  const { search, change } = useListQuery();
  const types = useEventTypes();
  const filters = deliveryFiltersOf(search);
  const set = (name: string, value: string | undefined) =>
    change({ [name]: value === '' ? undefined : value, offset: undefined });
  const known = types.data?.data.map(({ type }) => ({ value: type, text: type })) ?? [];
  const { since, until } = filters;
  const state: string = filters.state ?? '';
  const eventType: string = filters.eventType ?? '';
  return (
    <div className="delivery-filters" role="group" aria-label={t('filters')}>
      <Choice
        label={t('state')}
        value={state}
        options={[{ value: '', text: t('anyState') }, ...STATES.map((one) => ({ value: one, text: t(one) }))]}
        onChange={(value) => set('state', value)}
      />
      <Choice
        label={t('eventType')}
        value={eventType}
        options={[{ value: '', text: t('anyType') }, ...known]}
        onChange={(value) => set('eventType', value)}
      />
      <TimeFilter label={t('since')} iso={since} onChange={(value) => set('since', value)} />
      <TimeFilter label={t('until')} iso={until} onChange={(value) => set('until', value)} />
      {Object.keys(filters).length > 0 && (
        <Button
          className="button quiet"
          onPress={() =>
            change({
              state: undefined,
              eventType: undefined,
              since: undefined,
              until: undefined,
              offset: undefined,
            })
          }
        >
          {t('clear')}
        </Button>
      )}
    </div>
  );
}

interface TimeFilterProps {
  readonly label: string;
  readonly iso: string | undefined;
  readonly onChange: (iso: string | undefined) => void;
}

/** Keeps what is typed until it is a time: the address has nothing half. */
function TimeFilter({ label, iso, onChange }: TimeFilterProps) {
  const [typed, setTyped] = useState(localTime(iso));
  useEffect(() => setTyped(localTime(iso)), [iso]);
  return (
    <TextInput
      kind="time"
      label={label}
      value={typed}
      onChange={(value) => {
        setTyped(value);
        onChange(isoTime(value));
      }}
    />
  );
}
