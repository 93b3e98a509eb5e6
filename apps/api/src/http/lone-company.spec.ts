import { LoneCompany } from './lone-company';

describe('a company', () => {
  let lone: LoneCompany;

  beforeEach(() => {
    jest.useFakeTimers();
    lone = new LoneCompany();
  });
  afterEach(() => jest.useRealTimers());

  it('is alone from its first call', () => {
    expect(lone.isAlone()).toBe(true);
    lone.note(1);
    lone.note(1);
    expect(lone.isAlone()).toBe(true);
  });

  it('is not alone until five minutes after the last call of another', () => {
    lone.note(1);
    lone.note(2);
    jest.advanceTimersByTime(299_000);
    expect(lone.isAlone()).toBe(false);
    lone.note(1);
    jest.advanceTimersByTime(300_000);
    expect(lone.isAlone()).toBe(false);
    lone.note(1);
    jest.advanceTimersByTime(1);
    expect(lone.isAlone()).toBe(true);
  });
});
