import { RequestCoalescer } from './request-coalescer';
import { asCompany, currentRequest, inRequestScope, outsideRequests, sharedByCallers } from './request-scope';

const caller = { share: 7, isAbandoned: () => true };

describe('the scope of a request', () => {
  it('covers everything that the work does, also later, and nothing else', async () => {
    const inside = inRequestScope(caller, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return currentRequest();
    });
    expect(currentRequest()).toBeUndefined();
    expect(await inside).toBe(caller);
  });

  it('is suspended by outsideRequests and restored afterwards', () => {
    inRequestScope(caller, () => {
      expect(outsideRequests(currentRequest)).toBeUndefined();
      expect(currentRequest()).toBe(caller);
    });
    expect(outsideRequests(currentRequest)).toBeUndefined();
  });

  it('keeps the company in shared work, but does not end with the first caller', async () => {
    const coalescer = new RequestCoalescer((items: readonly number[]) => {
      const { share, isAbandoned } = currentRequest() ?? {};
      return Promise.resolve(items.map(() => [share, isAbandoned?.()]));
    }, 1_000);
    expect(await inRequestScope(caller, () => coalescer.submit(1))).toEqual([7, false]);
    expect(sharedByCallers(currentRequest)).toBeUndefined();
  });

  it('changes from a link to its company, and still ends with its caller', () => {
    const byLink = { ...caller, share: 'links' } as const;
    expect(inRequestScope(byLink, () => asCompany(7, currentRequest))).toEqual(caller);
    expect(asCompany(7, currentRequest)).toBeUndefined();
  });
});
