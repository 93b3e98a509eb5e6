import { EXCHANGE_RATE_SOURCES, type ExchangeRatesConfig } from './config';
import type { EnvironmentReader } from './environment-reader';

/**
 * The data flow of exchange rates in the Bank of Israel's series. docs/exchange-rates.md names the sources.
 */
const SERIES_URL = 'https://edge.boi.gov.il/FusionEdgeServer/sdmx/v2/data/dataflow/BOI.STATISTICS/EXR/1.0';

/** Reads the source of published exchange rates (contract §11.10). Default: off. */
export function readExchangeRates(read: EnvironmentReader, production: boolean): ExchangeRatesConfig {
  return {
    source: read.oneOf('EXCHANGE_RATES', EXCHANGE_RATE_SOURCES, 'off'),
    url: read.bareUrl('EXCHANGE_RATES_URL', production ? ['https:'] : ['https:', 'http:']) ?? SERIES_URL,
  };
}
