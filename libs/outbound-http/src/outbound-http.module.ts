import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '@counterfoil/config';
import { NodeOutboundHttp } from './node-outbound-http';
import { OutboundHttp } from './outbound-http';

/** Binds one `OutboundHttp` for each process, so that connections are shared, and closes it at shutdown. */
@Module({
  providers: [
    {
      provide: OutboundHttp,
      inject: [Config],
      useFactory: (config: Config): OutboundHttp =>
        new NodeOutboundHttp({ allowedNetworks: config.outboundAllowedNetworks }),
    },
  ],
  exports: [OutboundHttp],
})
export class OutboundHttpModule implements OnApplicationShutdown {
  constructor(private readonly outbound: OutboundHttp) {}

  onApplicationShutdown(): Promise<void> {
    return this.outbound.close();
  }
}
