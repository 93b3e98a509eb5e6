/** The slots that every endpoint has to itself, independently of all others. */
export const PLACES_OWN = 2;
/** The most that are under way to one endpoint, over all workers. */
export const PLACES_MAX = 32;

/**
 * The maximum for an endpoint that takes longer than `PROMPT_MS` to answer, because each attempt holds its slot for
 * longer.
 */
export const PLACES_MAX_SLOW = 8;
export const PROMPT_MS = 1_000;

/** The speed of an answer. `none`: no answer came, or it had to be cut off, so that the connection is lost. */
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

/** The slots allotted to a lane: the number of deliveries that it may start. */
export interface Dealt {
  readonly lane: Lane;
  readonly places: number;
}

/**
 * Returns the window after an attempt. It grows by one with each answer while the whole window was in use, and falls
 * back to the lane's own slots without an answer: an endpoint that hangs holds no slot of others.
 */
export function windowAfter({ window, inFlight }: Lane, answer: Answer): number {
  if (answer === 'none') return PLACES_OWN;
  const most = answer === 'slow' ? PLACES_MAX_SLOW : PLACES_MAX;
  return Math.min(inFlight >= window ? window + 1 : window, most);
}

/** The deliveries under way beyond a lane's own slots. */
function sharedBy({ inFlight }: Lane): number {
  return Math.max(0, inFlight - PLACES_OWN);
}

const sharedByAll = (lanes: readonly Lane[]) => lanes.reduce((sum, lane) => sum + sharedBy(lane), 0);

/**
 * Allots slots to the lanes with due deliveries. Each gets its own slots first, so that no endpoint ever waits for
 * another. Beyond them, shared slots go one by one to the company with the fewest of them, and within it to the
 * endpoint with the fewest. Slow endpoints together get half of them at most.
 *
 * @param busy every lane with deliveries under way, including those in `wanting`
 * @param shared the total number of shared slots
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

/** The slots that a lane gets. */
class Hand {
  readonly room: number;
  places: number;

  constructor(readonly lane: Lane) {
    this.room = Math.max(0, lane.window - lane.inFlight);
    this.places = Math.min(this.room, Math.max(0, PLACES_OWN - lane.inFlight));
  }

  /** The number under way once the allotted ones have started. */
  get taken(): number {
    return this.lane.inFlight + this.places;
  }

  /** Places that it could still use. */
  get wants(): number {
    return this.room - this.places;
  }
}
