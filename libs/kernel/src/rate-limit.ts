/** At most so many requests in each window of so many seconds. */
export interface RateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
}
