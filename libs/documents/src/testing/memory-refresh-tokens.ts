import { RefreshTokens } from '../adapters/tax-authority/refresh-tokens';

/** For tests that have no database. */
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
