import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { daysBefore } from '../domain/exchange-rate';

const PATH = '/sdmx/v2/data/dataflow/BOI.STATISTICS/EXR/1.0';
const COLUMNS =
  'SERIES_CODE,FREQ,BASE_CURRENCY,COUNTER_CURRENCY,UNIT_MEASURE,DATA_TYPE,DATA_SOURCE,TIME_COLLECT,CONF_STATUS,' +
  'PUB_WEBSITE,UNIT_MULT,COMMENTS,TIME_PERIOD,OBS_VALUE,RELEASE_STATUS';
const BYTE_ORDER_MARK = '\ufeff';

/** The published currencies, with the number of units as an exponent of ten. */
const SERIES: readonly (readonly [currency: string, unitMult: number, rate: number])[] = [
  ['USD', 0, 3.073],
  ['EUR', 0, 3.5921],
  ['GBP', 0, 4.1254],
  ['JPY', 2, 1.971],
  ['LBP', 1, 0.0003],
  // The currency basket, which is not a currency.
  ['CBK_L', 0, 4.387],
];

/** The failure of the next request. */
export type Fault =
  | { readonly status: number }
  | 'hang'
  | 'lost'
  | 'html'
  | 'cut'
  | 'empty'
  | { readonly without: string }
  | { readonly also: string };

/**
 * A fake of the Bank of Israel's series of exchange rates, in its format (docs/exchange-rates.md): a byte
 * order mark, 15 columns, Windows line ends, and no line for a day without a rate.
 */
export class BankOfIsraelStandIn {
  /** The received queries. */
  readonly asked: URLSearchParams[] = [];
  /** Rates that differ from the default rate, by currency and day. */
  readonly revised = new Map<string, string>();
  /** Days without rates, besides Saturdays and Sundays. */
  readonly holidays = new Set<string>();
  private readonly faults: Fault[] = [];

  /** @param lastDay the last day with rates */
  private constructor(
    private readonly server: http.Server,
    public lastDay: string,
  ) {}

  static async start(lastDay: string): Promise<BankOfIsraelStandIn> {
    const server = http.createServer();
    const standIn = new BankOfIsraelStandIn(server, lastDay);
    server.on('request', (request, response) => standIn.serve(request.url ?? '', response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return standIn;
  }

  /** The value for `EXCHANGE_RATES_URL`. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${PATH}`;
  }

  /** Sets a failure for each of the next requests. */
  misbehave(...faults: Fault[]): void {
    this.faults.push(...faults);
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  /** A line of the series, in the published format. */
  line(currency: string, day: string, rate: string | number, unitMult = 0): string {
    const series = `RER_${currency.slice(0, 3)}_ILS`;
    return `${series},D,${currency},ILS,ILS,OF00,BOI_MRKT,V,F,Y,${unitMult},,${day},${rate},YP`;
  }

  private serve(at: string, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(at, 'http://stand-in');
    this.asked.push(searchParams);
    const isSeries = pathname.replace(/\/$/, '') === PATH && searchParams.get('c[DATA_TYPE]') === 'OF00';
    const fault = this.faults.shift();
    if (fault === 'hang') return;
    if (fault === 'lost') return void response.destroy();
    if (fault === 'html')
      return void answer(response, 200, 'text/html', '<html><p>Maintenance, back soon</p>');
    if (!isSeries) return void answer(response, 404, 'text/plain', 'No results matching the query');
    if (typeof fault === 'object' && 'status' in fault) {
      return void answer(response, fault.status, 'text/plain', 'No');
    }
    const lines = fault === 'empty' ? [] : this.lines(searchParams.get('startperiod') ?? '2026-01-01');
    answer(response, 200, 'text/csv', spoilt([COLUMNS, ...lines], fault));
  }

  private lines(from: string): string[] {
    const days: string[] = [];
    for (let day = this.lastDay; day >= from; day = daysBefore(day, 1)) days.unshift(day);
    const published = days.filter((day) => !isWeekend(day) && !this.holidays.has(day));
    return SERIES.flatMap(([currency, unitMult, rate]) =>
      published.map((day) =>
        this.line(currency, day, this.revised.get(`${currency} ${day}`) ?? rate, unitMult),
      ),
    );
  }
}

function spoilt(lines: readonly string[], fault: Fault | undefined): string {
  const text = (all: readonly string[]) => `${BYTE_ORDER_MARK}${all.join('\r\n')}\r\n`;
  if (fault === 'cut') return text(lines).slice(0, -30);
  if (typeof fault !== 'object' || 'status' in fault) return text(lines);
  if ('also' in fault) return text([...lines, fault.also]);
  const place = COLUMNS.split(',').indexOf(fault.without);
  return text(lines.map((line) => line.split(',').toSpliced(place, 1).join(',')));
}

function isWeekend(day: string): boolean {
  return [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
}

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}
