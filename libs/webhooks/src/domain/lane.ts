/** Slots reserved for every endpoint, independently of all others. */
export const OWN_SLOTS = 2;
/** The maximum of deliveries in flight to one endpoint, over all workers. */
export const SLOTS_MAX = 32;

/**
 * The maximum for an endpoint that takes longer than `PROMPT_MS` to answer, because each attempt holds its
 * slot for longer.
 */
export const SLOW_SLOTS_MAX = 8;
export const PROMPT_MS = 1_000;

/** The speed of a response. `none`: there was no response, or it was cut off, so the connection is lost. */
export type ResponseSpeed = 'prompt' | 'slow' | 'none';

/** An endpoint as this worker serves it. */
export interface Lane {
  readonly endpointId: string;
  readonly companyId: number;
  /** Number of deliveries in flight. */
  readonly inFlight: number;
  /** Maximum number of deliveries in flight, from `OWN_SLOTS` to `SLOTS_MAX`. */
  readonly window: number;
  /** True if the last response was slow. */
  readonly slow: boolean;
}

/** The number of deliveries that a lane may start. */
export interface Allotment {
  readonly lane: Lane;
  readonly slots: number;
}

/**
 * Returns the window after an attempt. It grows by one with each response if the whole window was in use.
 * Without a response it shrinks to the lane's own slots, so that an endpoint that hangs holds no shared
 * slots.
 */
export function windowAfter({ window, inFlight }: Lane, speed: ResponseSpeed): number {
  if (speed === 'none') return OWN_SLOTS;
  const most = speed === 'slow' ? SLOW_SLOTS_MAX : SLOTS_MAX;
  return Math.min(inFlight >= window ? window + 1 : window, most);
}

/** The number of shared slots that a lane uses. */
function sharedBy({ inFlight }: Lane): number {
  return Math.max(0, inFlight - OWN_SLOTS);
}

const sharedByAll = (lanes: readonly Lane[]) => lanes.reduce((sum, lane) => sum + sharedBy(lane), 0);

/**
 * Allots slots to the lanes with due deliveries. Each gets its own slots first, so that no endpoint ever
 * waits for another. Shared slots are then given out one by one, each to the company with the fewest shared
 * slots, and within it to the endpoint with the fewest. All slow endpoints together get at most half of the
 * shared slots.
 *
 * @param busy every lane with deliveries in flight, including those in `wanting`
 * @param shared the total number of shared slots
 */
export function shareSlots(wanting: readonly Lane[], busy: readonly Lane[], shared: number): Allotment[] {
  const shares = wanting.map((lane) => new Share(lane)).filter(({ room }) => room > 0);
  const left = shared - sharedByAll(busy);
  const leftForSlow = Math.floor(shared / 2) - sharedByAll(busy.filter(({ slow }) => slow));
  const held = new Map<number, number>();
  for (const lane of busy) held.set(lane.companyId, (held.get(lane.companyId) ?? 0) + sharedBy(lane));
  shareRest(shares, held, { left, leftForSlow });
  return shares.filter(({ slots }) => slots > 0).map(({ lane, slots }) => ({ lane, slots }));
}

function shareRest(
  shares: readonly Share[],
  held: Map<number, number>,
  limits: { readonly left: number; readonly leftForSlow: number },
): void {
  let { left, leftForSlow } = limits;
  let open = shares.filter((share) => share.wants > 0);
  const heldBy = ({ lane }: Share) => held.get(lane.companyId) ?? 0;
  while (left > 0) {
    if (leftForSlow <= 0) open = open.filter(({ lane }) => !lane.slow);
    const [first, ...others] = open;
    if (!first) return;
    const next = others.reduce((best, share) => {
      const fewer = heldBy(share) - heldBy(best) || share.taken - best.taken;
      return fewer < 0 ? share : best;
    }, first);
    next.slots += 1;
    held.set(next.lane.companyId, heldBy(next) + 1);
    left -= 1;
    if (next.lane.slow) leftForSlow -= 1;
    if (next.wants === 0) open = open.filter((share) => share !== next);
  }
}

/** The slots that a lane gets. */
class Share {
  readonly room: number;
  slots: number;

  constructor(readonly lane: Lane) {
    this.room = Math.max(0, lane.window - lane.inFlight);
    this.slots = Math.min(this.room, Math.max(0, OWN_SLOTS - lane.inFlight));
  }

  /** The number in flight after the allotted deliveries have started. */
  get taken(): number {
    return this.lane.inFlight + this.slots;
  }

  /** The number of further slots that the lane could use. */
  get wants(): number {
    return this.room - this.slots;
  }
}
