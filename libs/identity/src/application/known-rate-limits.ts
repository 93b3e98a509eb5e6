import { Injectable } from '@nestjs/common';
import { type CompanyRates, ratesOf } from '../domain/company-limits';
import { IdentityReader } from './ports/identity.reader';

interface Known {
  readonly sinceMs: number;
  readonly rates: Promise<CompanyRates>;
}

/** A change that an operator makes applies in every process within this time. */
const MAX_AGE_MS = 10_000;
const COMPANIES_MAX = 10_000;

/** Caches the rate limits of companies for some seconds, because every request needs them. */
@Injectable()
export class KnownRateLimits {
  private readonly known = new Map<number, Known>();

  constructor(private readonly reader: IdentityReader) {}

  find(companyId: number): Promise<CompanyRates> {
    const known = this.known.get(companyId);
    const nowMs = performance.now();
    if (known && nowMs - known.sinceMs < MAX_AGE_MS) return known.rates;
    if (this.known.size >= COMPANIES_MAX) this.known.clear();
    const rates = this.reader.limits(companyId).then(ratesOf);
    this.known.set(companyId, { sinceMs: nowMs, rates });
    // The next request reads again.
    rates.catch(() => this.known.delete(companyId));
    return rates;
  }
}
