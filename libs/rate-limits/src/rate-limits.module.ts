import { Config } from '@counterfoil/config';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { CounterStore, openCounterStore } from './counter-store';
import { RateCounters } from './rate-counters';

@Module({
  providers: [{ provide: CounterStore, inject: [Config], useFactory: openCounterStore }, RateCounters],
  exports: [RateCounters],
})
export class RateLimitsModule implements OnApplicationShutdown {
  constructor(@Inject(CounterStore) private readonly store: CounterStore) {}

  onApplicationShutdown(): Promise<void> {
    return this.store.close();
  }
}
