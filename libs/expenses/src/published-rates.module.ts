import { Config } from '@counterfoil/config';
import { OutboundHttp, OutboundHttpModule } from '@counterfoil/outbound-http';
import { Module } from '@nestjs/common';
import { BankOfIsraelRates } from './adapters/bank-of-israel/bank-of-israel-rates';
import { PostgresRatePollState } from './adapters/postgres/postgres-rate-poll-state';
import { LoadPublishedRates } from './application/load-published-rates';
import { RatePollState } from './application/ports/rate-poll-state';
import { PublishedRates } from './application/ports/published-rates';
import { ExchangeRatesModule } from './exchange-rates.module';

/** Loads published rates from their source; used by the worker. */
@Module({
  imports: [ExchangeRatesModule, OutboundHttpModule],
  providers: [
    LoadPublishedRates,
    { provide: RatePollState, useClass: PostgresRatePollState },
    {
      provide: PublishedRates,
      inject: [Config, OutboundHttp],
      useFactory: (config: Config, http: OutboundHttp): PublishedRates =>
        new BankOfIsraelRates(http, config.exchangeRates.url),
    },
  ],
  exports: [LoadPublishedRates, ExchangeRatesModule],
})
export class PublishedRatesModule {}
