import { NodeOutboundHttp, type OutboundHttp } from '@counterfoil/outbound-http';
import { PublishedRatesUnavailable } from '../../application/ports/published-rates';
import { BankOfIsraelStandIn } from '../../testing/bank-of-israel-stand-in';
import { BankOfIsraelRates } from './bank-of-israel-rates';

describe('the adapter of the Bank of Israel', () => {
  let standIn: BankOfIsraelStandIn;
  let http: OutboundHttp;

  beforeEach(async () => {
    standIn = await BankOfIsraelStandIn.start('2026-11-19');
    http = new NodeOutboundHttp({ allowedNetworks: [{ cidr: '127.0.0.1/32', port: null }] });
  });
  afterEach(async () => {
    await http.close();
    await standIn.close();
  });

  it('requests the representative rates of all currencies from a day on', async () => {
    const { rates, refused } = await new BankOfIsraelRates(http, standIn.url).ratesSince('2026-11-19');
    expect(Object.fromEntries(standIn.asked[0]!)).toEqual({
      'c[DATA_TYPE]': 'OF00',
      startperiod: '2026-11-19',
      format: 'csv',
    });
    expect(rates.map(({ currency, rate, unit }) => `${currency} ${rate} /${unit}`)).toEqual([
      'USD 3.073 /1',
      'EUR 3.5921 /1',
      'GBP 4.1254 /1',
      'JPY 1.971 /100',
      'LBP 0.0003 /10',
    ]);
    expect(refused).toEqual([]);
  });

  it('does not wait longer than its time limit', async () => {
    standIn.misbehave('hang');
    await expect(new BankOfIsraelRates(http, standIn.url, 200).ratesSince('2026-11-19')).rejects.toThrow(
      'the Bank of Israel cannot be reached: no complete answer in time',
    );
  });

  it('fails if the host cannot be reached, or its address is forbidden', async () => {
    const { url } = standIn;
    const closed = await BankOfIsraelStandIn.start('2026-11-19');
    await closed.close();
    const walled = new NodeOutboundHttp({ allowedNetworks: [] });
    for (const rates of [
      new BankOfIsraelRates(http, 'http://127.0.0.1:1/rates'),
      new BankOfIsraelRates(walled, url),
    ]) {
      await expect(rates.ratesSince('2026-11-19')).rejects.toThrow(PublishedRatesUnavailable);
    }
    expect(standIn.asked).toEqual([]);
    await walled.close();
  });
});
