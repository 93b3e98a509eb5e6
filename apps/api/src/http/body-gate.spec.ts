import { BodyBudget, type BodyReservation } from './body-gate';

const busy = { code: 'UNAVAILABLE', retryAfterSeconds: expect.any(Number) };
const [ATTACKER, OTHER] = [1, 2];

const given = (waitMaxMs = 10_000): BodyBudget => new BodyBudget({ bytesMax: 100, waitMaxMs });

describe('room for bodies', () => {
  it('cannot all be taken by one company', () => {
    const budget = given();
    expect(budget.tryTake(ATTACKER, 51)).toBeNull();
    expect(budget.tryTake(ATTACKER, 50)).not.toBeNull();
    expect(budget.tryTake(ATTACKER, 1)).toBeNull();
    expect(budget.tryTake(OTHER, 25)).not.toBeNull();
  });

  it('is given to the requests of a company in order of arrival', async () => {
    const budget = given();
    const held = budget.tryTake(ATTACKER, 50)!;
    const admitted: string[] = [];
    const large = budget.wait(ATTACKER, 40).then((reservation) => (admitted.push('large'), reservation));
    const small = budget.wait(ATTACKER, 1).then((reservation) => (admitted.push('small'), reservation));
    expect(budget.tryTake(ATTACKER, 1)).toBeNull();
    held.release();
    await Promise.all([large, small]);
    expect(admitted).toEqual(['large', 'small']);
  });

  it('is refused after a short wait', async () => {
    const budget = given(20);
    const held = budget.tryTake(ATTACKER, 50)!;
    await expect(budget.wait(ATTACKER, 1)).rejects.toMatchObject(busy);
    held.release();
    expect(budget.tryTake(ATTACKER, 50)).not.toBeNull();
  });

  it('is given to a small body when a larger one before it has waited too long', async () => {
    const budget = given(100);
    budget.tryTake(ATTACKER, 30);
    const large = budget.wait(ATTACKER, 40);
    await new Promise((resolve) => setTimeout(resolve, 60));
    const small = budget.wait(ATTACKER, 1);
    await expect(large).rejects.toMatchObject(busy);
    const isGiven = await Promise.race([
      small.then(() => true),
      new Promise((resolve) => setTimeout(resolve, 20, false)),
    ]);
    expect(isGiven).toBe(true);
  });

  it('has a bounded queue for each company', async () => {
    const budget = given(20);
    budget.tryTake(ATTACKER, 50);
    const waits = Array.from({ length: 300 }, () => budget.wait(ATTACKER, 1).catch(() => 'refused'));
    const atOnce = await Promise.race([waits.at(-1), Promise.resolve().then(() => Promise.resolve('waits'))]);
    expect(atOnce).toBe('refused');
    await Promise.all(waits);
  });

  it('of a body of unknown length goes to waiting requests once its length is known', async () => {
    const budget = given();
    const held = budget.tryTake(ATTACKER, 50)!;
    const next = budget.wait(ATTACKER, 45);
    held.shrinkTo(5);
    const reservation: BodyReservation = await next;
    reservation.release();
    held.release();
    held.shrinkTo(50);
    expect(budget.tryTake(ATTACKER, 50)).not.toBeNull();
  });

  it('is kept by a body of unknown length, even if others have taken more meanwhile', async () => {
    const budget = given();
    const held = budget.tryTake(ATTACKER, 50)!;
    // Now so much is taken that a new request of the company would be refused.
    expect(budget.tryTake(OTHER, 25)).not.toBeNull();
    expect(budget.tryTake(OTHER + 1, 12)).not.toBeNull();
    held.shrinkTo(40);
    held.shrinkTo(45);
    expect(budget.tryTake(OTHER + 2, 11)).not.toBeNull();
    held.release();
    held.release();
    expect(budget.tryTake(OTHER + 3, 26)).not.toBeNull();
    expect(budget.tryTake(OTHER + 4, 27)).toBeNull();
  });
});
