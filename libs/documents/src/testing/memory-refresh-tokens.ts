import { RefreshTokens } from '../adapters/tax-authority/refresh-tokens';

/** Stores the refresh token in memory, for tests without a database. */
export class MemoryRefreshTokens extends RefreshTokens {
  constructor(private token: string) {
    super();
  }

  override async current(): Promise<string> {
    return this.token;
  }

  override async replace(previous: string, next: string): Promise<void> {
    if (this.token === previous) this.token = next;
  }
}
