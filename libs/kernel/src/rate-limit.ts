/** At most `requests` in each window. */
export interface RateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
}
