import { createHash } from 'node:crypto';
import { oneQueueStore, startService, type TestService } from '@counterfoil/test-harness';
import { sendOk } from './send-ok';

const SELLER = {
  ...{ name: 'אקמה בע״מ', taxId: '514000009', phoneNumber: '03-5555555' },
  address: { street: 'הרצל', houseNumber: '1', city: 'חיפה' },
  bankAccounts: [{ bank: '12', branch: '600', account: '123456' }],
};
const CLIENT = { name: 'לקוח <לדוגמה>', taxId: '514000017', type: 'COMPANY' };
const ITEM = { description: 'ייעוץ & ליווי', quantity: 2, unitPrice: 150.5, discountPercent: 10 };
const SYNTAXES = ['ubl', 'cii'] as const;

interface Issued {
  readonly id: number;
  readonly visibleId: string;
  readonly number: number;
}

/** On one queue store: document-files.e2e makes files over both. */
describe.each(oneQueueStore())('the e-invoice of a document, with the $kind queue', (store) => {
  let service: TestService;
  let entityId: number;

  beforeAll(async () => {
    service = await startService(store);
    await ok('PUT', '/company', SELLER);
    entityId = (await ok<{ clientId: number }>('POST', '/clients/create', CLIENT)).clientId;
  });
  afterAll(() => service?.stop());

  const ok = <T>(method: string, path: string, body?: object) => sendOk<T>(service, method, path, body);
  const issue = (type = 'tax-invoice', more: object = {}) =>
    ok<Issued>('POST', `/documents/create/${type}`, { entityId, items: [ITEM], ...more });
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(service.url + path, {
      method,
      headers: { authorization: 'Bearer sk_test_demo_owner', ...headers },
    });
  const file = async (path: string): Promise<Buffer<ArrayBuffer>> => {
    const answer = await get(path);
    const content = Buffer.from(await answer.arrayBuffer());
    expect({ path, status: answer.status }).toEqual({ path, status: 200 });
    return content;
  };
  const refused = async (path: string, headers?: Record<string, string>) => {
    const answer = await get(path, headers);
    return { status: answer.status, body: await answer.json() };
  };
  const extracted = async (content: Buffer<ArrayBuffer>, name: string, type: string) => {
    const form = new FormData();
    form.append('file', new Blob([content], { type }), name);
    const uploaded = await fetch(`${service.url}/files/upload`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_demo_owner' },
      body: form,
    });
    const { fileId } = (await uploaded.json()) as { fileId: number };
    return ok<{ expenseData: object; confidence: Record<string, number> }>(
      'GET',
      `/expenses/extract-from-file/${fileId}`,
    );
  };

  it.each(SYNTAXES)(
    'is made once, and has the same bytes for every caller, by both ids: %s',
    async (syntax) => {
      const { id, visibleId, number } = await issue();
      const path = `/documents/id/${id}/${syntax}`;
      const answers = await Promise.all(Array.from({ length: 8 }, () => get(path)));
      const contents = await Promise.all(answers.map((answer) => answer.text()));
      expect(new Set(contents).size).toBe(1);
      const sha256 = createHash('sha256').update(contents[0]!).digest('hex');
      const headers = {
        'content-type': 'application/xml',
        'content-disposition': `attachment; filename="tax-invoice-${number}.${syntax}.xml"`,
        'content-length': String(Buffer.byteLength(contents[0]!)),
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining('sandbox'),
        etag: `"${sha256}"`,
      };
      for (const answer of answers) {
        expect(answer.status).toBe(200);
        expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
      }
      expect((await file(`/documents/id/${visibleId}/${syntax}`)).toString()).toBe(contents[0]);
      const head = await get(path, {}, 'HEAD');
      expect(Object.fromEntries(head.headers)).toMatchObject(headers);
      const known = await get(path, { 'if-none-match': `"${sha256}"` });
      expect([known.status, await known.text()]).toEqual([304, '']);
      const rows = await service.database.query<{ variant: string; sha256: string }>(
        `select variant, encode(sha256, 'hex') as sha256 from renditions where document_id = $1`,
        [id],
      );
      expect(rows).toEqual([{ variant: syntax, sha256 }]);
    },
  );

  it.each(SYNTAXES)('states all fields, as our own reader confirms: %s', async (syntax) => {
    const { id, number } = await issue('tax-invoice', { issueDate: '2026-11-02' });
    const content = await file(`/documents/id/${id}/${syntax}`);
    const { expenseData, confidence } = await extracted(content, 'invoice.xml', 'application/xml');
    expect(expenseData).toMatchObject({
      ...{ vendorName: SELLER.name, vendorTaxId: SELLER.taxId, documentNumber: String(number) },
      ...{ date: '2026-11-02', currency: 'ILS', total: 319.66, tax: 48.76 },
    });
    expect(Object.keys(confidence)).toHaveLength(7);
    expect(Math.min(...Object.values(confidence))).toBeGreaterThanOrEqual(0.99);
  });

  it('is attached to the PDF once, where our own reader finds it', async () => {
    const { id, number } = await issue('tax-invoice', { issueDate: '2026-11-02' });
    const pdf = await file(`/documents/id/${id}/pdf`);
    expect(pdf.toString('latin1').match(/\/AFRelationship ?\/Alternative/g)).toHaveLength(1);
    const { expenseData, confidence } = await extracted(pdf, 'invoice.pdf', 'application/pdf');
    expect(expenseData).toMatchObject({ documentNumber: String(number), total: 319.66 });
    expect(Math.min(...Object.values(confidence))).toBeGreaterThanOrEqual(0.99);
    const quote = await issue('quote');
    const pages = await file(`/documents/id/${quote.id}/pdf`);
    expect(pages.toString('latin1')).not.toContain('/AFRelationship');
  });

  it.each(SYNTAXES)('does not change when the company, the client or the state does: %s', async (syntax) => {
    const { id, visibleId } = await issue();
    const path = `/documents/id/${id}/${syntax}`;
    const before = await file(path);
    await ok('PUT', '/company', { name: 'Renamed', taxId: '999999999' });
    await service.database.query('update entities set name = $1 where id = $2', ['Another', entityId]);
    await service.database.query('delete from renditions where document_id = $1', [id]);
    expect((await file(path)).equals(before)).toBe(true);
    await ok('PUT', '/company', { name: SELLER.name, taxId: SELLER.taxId });
    await service.database.query('update entities set name = $1 where id = $2', [CLIENT.name, entityId]);
    await service.request('POST', `/documents/close/${visibleId}`);
    expect((await file(path)).equals(before)).toBe(true);
    const number = { approvalNumber: 'A<1>' };
    await service.request('POST', `/documents/approval-number/${visibleId}`, number);
    const after = (await file(path)).toString();
    expect(after).toContain('A&lt;1&gt;');
    const rows = await service.database.query(
      'select variant from renditions where document_id = $1 order by variant',
      [id],
    );
    expect(rows).toEqual([{ variant: syntax }, { variant: `${syntax}.no-A<1>` }]);
  });

  it.each(SYNTAXES)(
    'of a credit note names the invoice, and ends when it is cancelled: %s',
    async (syntax) => {
      const invoice = await issue();
      const note = await issue('refund', { refundOf: invoice.id, items: [{ ...ITEM, quantity: 1 }] });
      const path = `/documents/id/${note.id}/${syntax}`;
      const text = (await file(path)).toString();
      expect(text).toMatch(
        new RegExp(
          `(InvoiceDocumentReference|InvoiceReferencedDocument)>\\s*<\\w+:(ID|IssuerAssignedID)>${invoice.number}<`,
        ),
      );
      await service.request('POST', `/documents/cancel/${note.visibleId}`, { reason: 'mistake' });
      expect(await refused(path)).toMatchObject({ status: 409, body: { code: 'INVALID_STATE' } });
      const pdf = (await file(`/documents/id/${note.id}/pdf`)).toString('latin1');
      expect(pdf).not.toContain('/AFRelationship');
    },
  );

  it.each(SYNTAXES)('is refused where EN 16931 has none, at once: %s', async (syntax) => {
    const { id } = await issue('quote');
    expect(await refused(`/documents/id/${id}/${syntax}`)).toMatchObject({
      status: 409,
      body: {
        code: 'INVALID_STATE',
        error: expect.stringContaining('only TAX_INVOICE, TAX_INVOICE_RECEIPT, REFUND, RETURN'),
      },
    });
    const { ownerKey } = await service.createCompany('Without tax id');
    const own = { authorization: `Bearer ${ownerKey}` };
    const call = async <T>(path: string, body: object) => {
      const headers = { ...own, 'content-type': 'application/json' };
      const answer = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await answer.json()) as T;
    };
    const { clientId } = await call<{ clientId: number }>('/clients/create', CLIENT);
    const issued = await call<Issued>('/documents/create/tax-invoice', { entityId: clientId, items: [ITEM] });
    expect(await refused(`/documents/id/${issued.id}/${syntax}`, own)).toMatchObject({
      status: 409,
      body: {
        code: 'INVALID_STATE',
        error: expect.stringContaining('PUT /company'),
        details: [{ field: 'taxId', problem: expect.stringContaining('PUT /company') }],
      },
    });
    expect((await get(`/documents/id/${issued.id}/pdf`, own)).status).toBe(200);
  });

  it.each(
    SYNTAXES.flatMap((syntax): [string, number, string][] => [
      [`/documents/id/999999/${syntax}`, 404, 'NOT_FOUND'],
      [`/documents/id/00000000-0000-4000-8000-000000000000/${syntax}`, 404, 'NOT_FOUND'],
      [`/documents/id/none/${syntax}`, 400, 'VALIDATION_FAILED'],
    ]),
  )('is refused for %s', async (path, status, code) => {
    expect(await refused(path)).toMatchObject({ status, body: { code } });
  });

  it.each(SYNTAXES)('is not that of another company, whichever id is asked for: %s', async (syntax) => {
    const { id, visibleId } = await issue();
    await file(`/documents/id/${id}/${syntax}`);
    const { ownerKey } = await service.createCompany('Other');
    for (const key of [id, visibleId])
      expect(
        await refused(`/documents/id/${key}/${syntax}`, { authorization: `Bearer ${ownerKey}` }),
      ).toMatchObject({ status: 404 });
  });
});
