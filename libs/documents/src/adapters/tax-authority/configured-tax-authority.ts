import type { Config } from '@counterfoil/config';
import type { Sql } from '@counterfoil/database';
import type { OutboundHttp } from '@counterfoil/outbound-http';
import type { TaxAuthority } from '../../application/ports/tax-authority';
import { IsraelTaxAuthority } from './israel-tax-authority';
import { PostgresRefreshTokens } from './postgres-refresh-tokens';
import { SandboxTaxAuthority } from './sandbox-tax-authority';

/** Returns the configured authority, or one that never answers if none is configured. */
export function configuredTaxAuthority(config: Config, http: OutboundHttp, sql: Sql): TaxAuthority {
  const { source, sandboxMode, israel } = config.allocationNumbers;
  if (!israel) return new SandboxTaxAuthority(source === 'sandbox' ? sandboxMode : 'never');
  const tokens = new PostgresRefreshTokens(sql, israel.refreshToken, config.secretsKeys);
  return new IsraelTaxAuthority(http, israel, tokens);
}
