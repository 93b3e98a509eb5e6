/** How often pages look for news, while they are visible. */
export const LIVE_MS = 4_000;
/** From here on, the count of each page takes the service noticeable time. */
const MANY = 100_000;
const LIVE_OF_MANY_MS = 20_000;

/** @param total of the answer before; undefined for none yet */
export const liveEvery = (total: number | undefined): number =>
  total !== undefined && total > MANY ? LIVE_OF_MANY_MS : LIVE_MS;
