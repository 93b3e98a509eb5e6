/**
 * The refresh token that access tokens are requested with. The authority may replace it at each use and forget the
 * old one, so the latest must be stored where every worker finds it.
 */
export abstract class RefreshTokens {
  /** The latest one from the authority, or else the configured one. */
  abstract current(): Promise<string>;

  /** Keeps `next` in the place of `previous`. Does nothing when another process has replaced that one already. */
  abstract replace(previous: string, next: string): Promise<void>;
}
