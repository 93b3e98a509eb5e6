import { FROM_ANSWER, sdkOf } from '../src/parts/form-call.ts';

it('writes a call with its ids and its body', () => {
  const call = {
    request: 'PUT /inventory/edit/7',
    sdk: 'stock.edit',
    ids: [7],
    body: { lowStockThreshold: null },
  };
  expect(sdkOf(call)).toBe('await counterfoil.stock.edit(7, {\n  "lowStockThreshold": null\n});');
});

it('takes a field of the body from the answer of the call before', () => {
  const first = { request: 'POST /addresses/create', sdk: 'addresses.create', body: { city: 'Haifa' } };
  const call = {
    ...{ request: 'POST /clients/create', sdk: 'clients.create' },
    ...{ body: { name: 'Shop', addressId: FROM_ANSWER }, first: { ...first, answer: 'addressId' } },
  };
  expect(sdkOf(call)).toBe(
    'const { addressId } = await counterfoil.addresses.create({\n  "city": "Haifa"\n});\n' +
      'await counterfoil.clients.create({\n  "name": "Shop",\n  addressId\n});',
  );
});
