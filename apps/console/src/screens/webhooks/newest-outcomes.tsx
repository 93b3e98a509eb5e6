import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useAccount } from '../../app/session.tsx';
import { LIVE_MS } from './live.ts';
import { Outcomes } from './outcomes.tsx';

interface NewestOutcomesProps {
  readonly id: string;
  /** Bars. */
  readonly count: number;
}

/** Reads the newest deliveries of an endpoint once they are seen: a company has up to 50 endpoints. */
export function NewestOutcomes({ id, count }: NewestOutcomesProps) {
  const { client } = useAccount();
  const place = useRef<HTMLSpanElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setSeen(entries.at(-1)?.isIntersecting ?? false));
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  const newest = useQuery({
    queryKey: ['webhooks', id, 'newest', count],
    queryFn: async () => client.webhooks.deliveries.list(id, { limit: count }),
    enabled: isSeen,
    refetchInterval: 2 * LIVE_MS,
  });
  return <span ref={place}>{newest.data ? <Outcomes newest={newest.data.data} /> : '…'}</span>;
}
