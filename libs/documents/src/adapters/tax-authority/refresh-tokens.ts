/**
 * The refresh token for requesting access tokens. The authority may replace it at each use and invalidate the
 * old one, so the latest one must be stored for all workers.
 */
export abstract class RefreshTokens {
  /** Returns the latest token from the authority, or else the configured one. */
  abstract current(): Promise<string>;

  /** Replaces `previous` with `next`. Does nothing if another process has replaced it already. */
  abstract replace(previous: string, next: string): Promise<void>;
}
