import { Global, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Config, loadConfig } from '@counterfoil/config';
import { OutboundHttp } from './outbound-http';
import { OutboundHttpModule } from './outbound-http.module';
import { aDelivery, eventually } from './testing/outbound';
import { givenHttpServer } from './testing/receiver';

const config = loadConfig({
  DATABASE_URL: 'postgres://db.example/x',
  SECRETS_KEY: 'k'.repeat(32),
  OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32',
});

@Global()
@Module({ providers: [{ provide: Config, useValue: config }], exports: [Config] })
class ConfigurationModule {}

describe('the module', () => {
  it('allows the addresses of the configuration, and closes its connections at shutdown', async () => {
    const receiver = await givenHttpServer((_request, response) => response.end('ok'));
    const app = await Test.createTestingModule({
      imports: [ConfigurationModule, OutboundHttpModule],
    }).compile();
    await app.init();
    const outbound = app.get(OutboundHttp);

    const answer = await outbound.send(aDelivery(`http://localhost:${receiver.port}/`));
    expect(answer.body.toString()).toBe('ok');
    await expect(outbound.assertAllowed('http://127.0.0.2/')).rejects.toMatchObject({
      code: 'URL_NOT_ALLOWED',
    });

    expect(receiver.open()).toBe(1);
    await app.close();
    await eventually(() => receiver.open() === 0);
    await receiver.close();
  });
});
