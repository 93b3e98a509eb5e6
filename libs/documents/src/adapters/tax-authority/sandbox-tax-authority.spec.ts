import { TaxAuthorityUnavailable } from '../../application/ports/tax-authority';
import { anInvoice, describeTaxAuthority } from '../../testing/tax-authority.contract';
import { SandboxTaxAuthority } from './sandbox-tax-authority';

describeTaxAuthority('the sandbox', () => new SandboxTaxAuthority('now'));

describe('the sandbox in its other modes', () => {
  const ask = (mode: 'later' | 'never' | 'error', attempt: number) =>
    new SandboxTaxAuthority(mode).request(anInvoice({ documentVisibleId: 'a', attempt }));

  it('returns later for the first request, and then the number that it would have returned at once', async () => {
    expect(await ask('later', 1)).toEqual({ kind: 'later' });
    const now = await new SandboxTaxAuthority('now').request(anInvoice({ documentVisibleId: 'a' }));
    expect(now.kind).toBe('assigned');
    expect(await ask('later', 2)).toEqual(now);
    expect(await ask('later', 7)).toEqual(now);
  });

  it('never returns a number', async () => {
    expect(await ask('never', 1)).toEqual({ kind: 'later' });
    expect(await ask('never', 99)).toEqual({ kind: 'later' });
  });

  it('fails for every request', async () => {
    await expect(ask('error', 1)).rejects.toBeInstanceOf(TaxAuthorityUnavailable);
    await expect(ask('error', 99)).rejects.toBeInstanceOf(TaxAuthorityUnavailable);
  });
});
