/** Places that every endpoint has for itself: whatever others do, so many deliveries to it can be under way. */
export const PLACES_OWN = 2;
/** The most that are under way to one endpoint, over all workers. */
export const PLACES_MAX = 32;

/** The most to one that takes longer than `PROMPT_MS` to answer: each holds its place for that much longer. */
export const PLACES_MAX_SLOW = 8;
export const PROMPT_MS = 1_000;

/**
 * How an attempt went, as far as its place is concerned. `none`: no answer came, or one that had to be cut off, so that
 * the connection is lost.
 */
export type Answer = 'prompt' | 'slow' | 'none';

/** How an endpoint is being served by this worker. */
export interface Lane {
  readonly endpointId: string;
  readonly companyId: number;
  /** Deliveries under way. */
  readonly inFlight: number;
  /** How many may be under way, from `PLACES_OWN` to `PLACES_MAX`. */
  readonly window: number;
  /** Whether the last answer was slow. */
  readonly slow: boolean;
}

/** Places that were dealt to a lane: so many more deliveries may begin. */
export interface Dealt {
  readonly lane: Lane;
  readonly places: number;
}

/**
 * The window after an attempt. It grows by one with each answer for which the whole of it was in use, and falls back to
 * the lane's own places when none came: an endpoint that hangs, and an idle one that begins to, holds no place of others.
 */
export function windowAfter({ window, inFlight }: Lane, answer: Answer): number {
  if (answer === 'none') return PLACES_OWN;
  const most = answer === 'slow' ? PLACES_MAX_SLOW : PLACES_MAX;
  return Math.min(inFlight >= window ? window + 1 : window, most);
}

/** What a lane has under way beyond its own places. */
function sharedBy({ inFlight }: Lane): number {
  return Math.max(0, inFlight - PLACES_OWN);
}

const sharedByAll = (lanes: readonly Lane[]) => lanes.reduce((sum, lane) => sum + sharedBy(lane), 0);

/**
 * Deals places to the lanes that have something due. Each gets its own places first, so that no endpoint ever waits
 * for another; what it wants beyond them comes from the places that all share, one by one to the company, and within a
 * company to the endpoint, that has the fewest of them. Endpoints that answer slowly get half of them at most.
 *
 * @param busy every lane that has deliveries under way, those among `wanting` included
 * @param shared how many shared places there are in all
 */
export function dealPlaces(wanting: readonly Lane[], busy: readonly Lane[], shared: number): Dealt[] {
  const hands = wanting.map((lane) => new Hand(lane)).filter(({ room }) => room > 0);
  const left = shared - sharedByAll(busy);
  const leftForSlow = Math.floor(shared / 2) - sharedByAll(busy.filter(({ slow }) => slow));
  const held = new Map<number, number>();
  for (const lane of busy) held.set(lane.companyId, (held.get(lane.companyId) ?? 0) + sharedBy(lane));
  dealShared(hands, held, { left, leftForSlow });
  return hands.filter(({ places }) => places > 0).map(({ lane, places }) => ({ lane, places }));
}

function dealShared(
  hands: readonly Hand[],
  held: Map<number, number>,
  limits: { readonly left: number; readonly leftForSlow: number },
): void {
  let { left, leftForSlow } = limits;
  let open = hands.filter((hand) => hand.wants > 0);
  const heldBy = ({ lane }: Hand) => held.get(lane.companyId) ?? 0;
  while (left > 0) {
    if (leftForSlow <= 0) open = open.filter(({ lane }) => !lane.slow);
    const [first, ...others] = open;
    if (!first) return;
    const next = others.reduce((best, hand) => {
      const fewer = heldBy(hand) - heldBy(best) || hand.taken - best.taken;
      return fewer < 0 ? hand : best;
    }, first);
    next.places += 1;
    held.set(next.lane.companyId, heldBy(next) + 1);
    left -= 1;
    if (next.lane.slow) leftForSlow -= 1;
    if (next.wants === 0) open = open.filter((hand) => hand !== next);
  }
}

/** What a lane is dealt. */
class Hand {
  readonly room: number;
  places: number;

  constructor(readonly lane: Lane) {
    this.room = Math.max(0, lane.window - lane.inFlight);
    this.places = Math.min(this.room, Math.max(0, PLACES_OWN - lane.inFlight));
  }

  /** Under way, when what was dealt has begun. */
  get taken(): number {
    return this.lane.inFlight + this.places;
  }

  /** Places that it could still use. */
  get wants(): number {
    return this.room - this.places;
  }
}
