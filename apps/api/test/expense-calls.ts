import { startApiServiceProcess, type TestService } from '@counterfoil/test-harness';
import { type Body, CostsClient, type ExpenseFields, LEAST_EXPENSE, type Refers } from './costs-client';
import { DescribedApi } from './described-api';
import { closeConnections } from './http-exchange';

/** The largest amount of money. */
export const MOST = 999_999_999_999.99;
/** The values of omitted optional fields. */
export const UNTOLD = { title: null, documentNumber: null, currency: 'ILS', notes: null, isEquipment: false };
export const WRONG_DATES = [
  ...['2026-02-30', '2026-1-5', '2025-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '2026-00-10', ''],
  ...['20261120', '20/11/2026', '2026-11-20T00:00:00Z', '2026-11-20 ', ' 2026-11-20', '0000-01-01', 'today'],
];

export let service: TestService;
export let ours: CostsClient;
export let stranger: CostsClient;
export let refers: Refers;

export const least = (more: Body = {}): Body => ({ ...LEAST_EXPENSE, ...refers, ...more });
/** Creates an expense of our own with the given fields. Other tests may read it but not change it. */
export const given = async (more: Body = {}) => (await ours.create(least(more))).expenseId;
export const read = async (id: number): Promise<ExpenseFields> => (await ours.read(id)).expense;
export const totalOf = async (of = ours) => (await of.list('limit=1')).pagination['total'];

/** Skips ids, so that supplier invoices get ids that no expense has. */
export const skipIds = () =>
  service.database.query(
    `select setval('documents_id_seq', greatest((select last_value from documents_id_seq),
                (select last_value from expenses_id_seq)) + 100000)`,
  );

/** The second is the easternmost time zone. Dates must not depend on the zone of the service. */
export const ZONES = ['Asia/Jerusalem', 'Pacific/Kiritimati'];

/**
 * Starts the service in a time zone before the tests of a block, and stops it after them.
 *
 * @param start `startProcesses` for tests of amounts that the worker converts
 */
export function serveExpenses(zone: string, start = startApiServiceProcess): void {
  beforeAll(async () => {
    service = await start({ TZ: zone });
    const api = await DescribedApi.of(service);
    const body = { role: 'accountant', userName: 'Noa' };
    const { key } = await api.ok<{ key: string }>('POST /api-keys', { body });
    ours = new CostsClient(service, api, key);
    stranger = await ours.ofNewCompany();
    refers = await ours.references();
  });

  afterAll(async () => {
    closeConnections();
    await service.stop();
  });
}
