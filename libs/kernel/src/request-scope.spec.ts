import { Batches } from './batches';
import { asCompany, currentRequest, inRequestScope, outsideRequests, sharedByCallers } from './request-scope';

const caller = { share: 7, isAbandoned: () => true };

describe('the scope of a request', () => {
  it('holds for everything that the work does later, and for nothing else', async () => {
    const inside = inRequestScope(caller, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return currentRequest();
    });
    expect(currentRequest()).toBeUndefined();
    expect(await inside).toBe(caller);
  });

  it('is left for work of the service itself, and is there again afterwards', () => {
    inRequestScope(caller, () => {
      expect(outsideRequests(currentRequest)).toBeUndefined();
      expect(currentRequest()).toBe(caller);
    });
    expect(outsideRequests(currentRequest)).toBeUndefined();
  });

  it('keeps its company in work that others wait for too, but does not end with its caller', async () => {
    const batches = new Batches((items: readonly number[]) => {
      const { share, isAbandoned } = currentRequest() ?? {};
      return Promise.resolve(items.map(() => [share, isAbandoned?.()]));
    }, 1_000);
    expect(await inRequestScope(caller, () => batches.ask(1))).toEqual([7, false]);
    expect(sharedByCallers(currentRequest)).toBeUndefined();
  });

  it('becomes that of a company where a link has told it, and ends with its caller as before', () => {
    const byLink = { ...caller, share: 'links' } as const;
    expect(inRequestScope(byLink, () => asCompany(7, currentRequest))).toEqual(caller);
    expect(asCompany(7, currentRequest)).toBeUndefined();
  });
});
