import { startApiService, type TestService } from '@counterfoil/test-harness';
import { type Call, DescribedApi } from './described-api';
import { type Answer, closeConnections } from './http-exchange';

export type Json = Record<string, unknown>;

export interface Ids {
  readonly vendorId: number;
  readonly visibleId: string;
}

export interface List {
  readonly data: (Json & { id: number; name: string })[];
  readonly pagination: Json;
}

export const NEW = { taxId: '514000000', name: 'Acme Ltd', type: 'COMPANY' };

export let service: TestService;
export let api: DescribedApi;
export let addressId: number;
export let otherAddressId: number;
export let contactId: number;

export const create = (more: object = {}, call: Call = {}) =>
  api.ok<Ids>('POST /vendors/create', { body: { ...NEW, ...more }, ...call });
export const read = (visibleId: string) =>
  api.ok<Json>('GET /vendors/id/{visibleId}', { at: `/vendors/id/${visibleId}` });
export const edit = (visibleId: string, body: unknown, more: Call = {}): Promise<Answer> =>
  api.send('PUT /vendors/edit/{visibleId}', { at: `/vendors/edit/${visibleId}`, body, ...more });
export const list = (query: string) => api.ok<List>('GET /vendors', { at: `/vendors?${query}` });

/** The default values of a vendor's fields. */
export const UNSET = {
  email: null,
  phoneNumber: null,
  paymentTermType: 'DAYS_ONLY',
  paymentTermDays: 30,
  vendorInternalCode: null,
  withholdingTaxRate: 0,
  address: null,
  logoFile: null,
  contacts: [],
};
export const RECORD_UNSET = {
  ...UNSET,
  bankNumber: null,
  branchNumber: null,
  accountNumber: null,
  ledgerEntityAccountKey: null,
  accountingCustomerNumber: null,
  specialVat: null,
  creditLimit: null,
  roundDocumentTotal: 'use_default',
  documentLanguage: null,
  taxDeductionsFileNumber: null,
  withholdingCertificateNumber: null,
  withholdingValidFrom: null,
  withholdingValidUntil: null,
  withholdingBase: null,
  withholdingFileId: null,
};

/** Starts the service before the tests of a file, and stops it after them. */
export function serveVendors(): void {
  beforeAll(async () => {
    service = await startApiService();
    api = await DescribedApi.of(service);
    const address = async (street: string) => {
      const body = { street, city: 'Haifa' };
      return (await api.ok<{ addressId: number }>('POST /addresses/create', { body })).addressId;
    };
    addressId = await address('Herzl');
    otherAddressId = await address('Allenby');
    const body = { firstName: 'Noa', email: 'noa@acme.example', addressId };
    contactId = (await api.ok<{ contactId: number }>('POST /contacts/create', { body })).contactId;
  });

  afterAll(async () => {
    closeConnections();
    await service.stop();
  });
}
