/**
 * The refresh token that access tokens are got with. The authority may replace it at each use and forget the old one,
 * so what it gave last must be kept, and by every worker in the same place.
 */
export abstract class RefreshTokens {
  /** The one that the authority gave last, else the configured one. */
  abstract current(): Promise<string>;

  /** Keeps `next` in the place of `previous`. Does nothing when another process has replaced that one already. */
  abstract replace(previous: string, next: string): Promise<void>;
}
