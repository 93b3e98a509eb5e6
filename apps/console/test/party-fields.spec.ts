import { draftOf, editBody, problemOf } from '../src/parts/record-fields.ts';
import { fieldsOf, newBody } from '../src/screens/parties/party-fields.ts';

const fields = fieldsOf('vendors');
const record = {
  ...{
    name: 'Paper House',
    taxId: '514000009',
    type: 'COMPANY',
    email: 'a@example.com',
    phoneNumber: '03-1',
  },
  ...{ paymentTermType: 'DAYS_ONLY', paymentTermDays: 30, specialVat: 17, creditLimit: 500 },
  ...{ vendorInternalCode: 7, withholdingTaxRate: 5, withholdingValidFrom: '2026-01-01' },
};
const before = draftOf(fields, record);
const field = (name: string) => fields.find((one) => one.name === name)!;

it('sends nothing of a form that was not touched, or was put back', () => {
  expect(editBody(fields, before, before)).toEqual({});
  expect(editBody(fields, before, { ...before, email: ' a@example.com ' })).toEqual({});
});

it('clears a text by an empty text, and everything else by null', () => {
  const after = {
    ...before,
    email: '',
    phoneNumber: ' ',
    specialVat: '',
    creditLimit: '',
    vendorInternalCode: '',
  };
  expect(editBody(fields, before, after)).toEqual({
    ...{ email: '', phoneNumber: '', specialVat: null, creditLimit: null, vendorInternalCode: null },
  });
});

it('sends what is true or false as such', () => {
  const ofClient = fieldsOf('clients');
  const client = draftOf(ofClient, { name: 'Acme', reminders: true });
  expect(client['reminders']).toBe('true');
  expect(editBody(ofClient, client, client)).toEqual({});
  expect(editBody(ofClient, client, { ...client, reminders: 'false' })).toEqual({ reminders: false });
});

it('sends numbers as numbers, and codes as texts', () => {
  const after = { ...before, withholdingTaxRate: '7.5', bankNumber: '012' };
  expect(editBody(fields, before, after)).toEqual({ withholdingTaxRate: 7.5, bankNumber: '012' });
});

it('says which fields cannot be emptied, and lets the days go with their term', () => {
  expect(problemOf(field('withholdingValidFrom'), before, { ...before, withholdingValidFrom: '' })).toBe(
    'emptied',
  );
  expect(problemOf(field('name'), before, { ...before, name: ' ' })).toBe('required');
  expect(problemOf(field('creditLimit'), before, { ...before, creditLimit: '1e3' })).toBe('number');
  expect(problemOf(field('paymentTermDays'), before, { ...before, paymentTermDays: '' })).toBe('emptied');
  const without = { ...before, paymentTermType: '', paymentTermDays: '' };
  expect(problemOf(field('paymentTermDays'), before, without)).toBeNull();
  expect(editBody(fields, before, without)).toEqual({ paymentTermType: null });
});

it('creates with what was filled in, and only with fields that a creation takes', () => {
  const draft = { name: 'Ink', taxId: '1', type: 'PATOOR', email: '', specialVat: '17' };
  expect(newBody(fields, draft)).toEqual({ name: 'Ink', taxId: '1', type: 'PATOOR' });
});

it('has no field of vendors for clients', () => {
  expect(fieldsOf('clients').map(({ name }) => name)).not.toContain('bankNumber');
  expect(fields.map(({ name }) => name)).not.toContain('reminders');
});
