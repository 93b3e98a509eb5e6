import { useEffect, useState } from 'react';
import { useTexts } from '../../../app/locale.tsx';
import { TextInput } from '../../../parts/fields.tsx';
import { ChoiceFilter, Filters } from '../../../parts/filters.tsx';
import { useListQuery } from '../../../parts/list-query.ts';
import { isoTime, localTime } from '../../../parts/local-time.ts';
import { deliveryFiltersOf, FILTERS, STATES } from '../delivery-filters.ts';
import { DELIVERIES } from '../delivery-messages.ts';
import { useEventTypes } from '../endpoint-fields.tsx';

export function DeliveryFilters() {
  const t = useTexts(DELIVERIES);
  const types = useEventTypes();
  const known = types.data?.data.map(({ type }) => ({ value: type, text: type })) ?? [];
  return (
    <Filters names={FILTERS}>
      <ChoiceFilter
        name="state"
        label={t('state')}
        options={STATES.map((one) => ({ value: one, text: t(one) }))}
      />
      <ChoiceFilter name="eventType" label={t('eventType')} options={known} />
      <TimeFilter name="since" label={t('since')} />
      <TimeFilter name="until" label={t('until')} />
    </Filters>
  );
}

interface TimeFilterProps {
  readonly name: 'since' | 'until';
  readonly label: string;
}

/** Keeps what is typed until it is a time: the address has nothing half. */
function TimeFilter({ name, label }: TimeFilterProps) {
  const { search, change } = useListQuery();
  const iso = deliveryFiltersOf(search)[name];
  const [typed, setTyped] = useState(localTime(iso));
  useEffect(() => setTyped(localTime(iso)), [iso]);
  return (
    <TextInput
      kind="time"
      label={label}
      value={typed}
      onChange={(value) => {
        setTyped(value);
        change({ [name]: isoTime(value), offset: undefined });
      }}
    />
  );
}
