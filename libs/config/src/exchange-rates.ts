import { EXCHANGE_RATE_SOURCES, type ExchangeRatesConfig } from './config';
import type { EnvironmentReader } from './environment-reader';

/** The dataflow of the exchange rates in the Bank of Israel's series; the sources are in docs/exchange-rates.md. */
const SERIES_URL = 'https://edge.boi.gov.il/FusionEdgeServer/sdmx/v2/data/dataflow/BOI.STATISTICS/EXR/1.0';

/** Reads where published exchange rates come from (decisions §4): from nowhere, unless the operator says so. */
export function readExchangeRates(read: EnvironmentReader, production: boolean): ExchangeRatesConfig {
  return {
    source: read.oneOf('EXCHANGE_RATES', EXCHANGE_RATE_SOURCES, 'off'),
    url: read.bareUrl('EXCHANGE_RATES_URL', production ? ['https:'] : ['https:', 'http:']) ?? SERIES_URL,
  };
}
