import { Batches } from './batches';
import { currentRequest, inRequestScope, outsideRequests, sharedByCallers } from './request-scope';

const caller = { companyId: 7, isAbandoned: () => true };

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
      const { companyId, isAbandoned } = currentRequest() ?? {};
      return Promise.resolve(items.map(() => [companyId, isAbandoned?.()]));
    }, 1_000);
    expect(await inRequestScope(caller, () => batches.ask(1))).toEqual([7, false]);
    expect(sharedByCallers(currentRequest)).toBeUndefined();
  });
});
