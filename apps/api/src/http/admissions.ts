import type { Share } from '@counterfoil/kernel';
import { type Admission, type Arrival, CompanyAdmissions } from './company-admissions';

/** The load of a request fades in this time, so that a load is about that of the last second. */
const LOAD_MS = 1_000;
/** A company with a smaller load is never delayed: the longest interval admits as much. */
const QUIET_LOAD = 20;
/** A company crowds the process if its load exceeds an equal share by this factor. */
const MARGIN = 1.25;

/** Utilization of the event loop: above `BUSY`, intervals grow; below `FREE`, they shrink fast. */
const BUSY = 0.5;
const FREE = 0.3;
/** The factors by which `adapt` changes an interval. Between the two bounds it shrinks slowly, to avoid oscillation. */
const GROWTH = 1.5;
const END = 1 / GROWTH;
const DECLINE = 0.95;

/**
 * Delays the requests of companies that crowd the process while its event loop is busy: it admits them at intervals,
 * which grow until the event loop is free enough for the others. Semaphores cannot do this, because each request uses
 * the event loop before it reaches one.
 *
 * The load of a company consists of its recent requests, weighted by the size of their JSON, and its waiting requests.
 * The number of open requests says less, because most of them wait for the database or for bytes.
 */
export class Admissions {
  /** By share: requests by links to files, which name no company, count as one. */
  private readonly companies = new Map<Share, CompanyAdmissions>();
  private adaptedAt = performance.now();

  /** Whether no company has requests or a load, so that there is nothing to adapt. */
  get areIdle(): boolean {
    return this.companies.size === 0;
  }

  /** @throws AppError `UNAVAILABLE` if too many requests of the company wait */
  enter(share: Share, arrival: Arrival): Admission {
    let company = this.companies.get(share);
    if (!company) {
      // Without companies nobody calls `adapt`. Its next call fades what is noted from now on.
      if (this.areIdle) this.adaptedAt = performance.now();
      company = new CompanyAdmissions();
      this.companies.set(share, company);
    }
    return company.enter(arrival);
  }

  /** @param utilization the share of the time since the last call in which the event loop was busy */
  adapt(utilization: number): void {
    const now = performance.now();
    const rest = Math.exp((this.adaptedAt - now) / LOAD_MS);
    this.adaptedAt = now;
    for (const [share, company] of this.companies) {
      company.fade(rest);
      if (company.isIdle) this.companies.delete(share);
    }
    const allowed = Math.max(QUIET_LOAD, MARGIN * this.equalShare());
    for (const company of this.companies.values()) {
      if (utilization < FREE) company.changeInterval(END);
      else if (utilization > BUSY && company.load > allowed) company.changeInterval(GROWTH);
      else company.changeInterval(DECLINE);
    }
  }

  /** The largest load counts as the second largest: otherwise a huge one would make others look small. */
  private equalShare(): number {
    const loads = [...this.companies.values()].map(({ load }) => load).sort((one, other) => other - one);
    const [, second = 0, ...smaller] = loads;
    return [second, second, ...smaller].reduce((sum, load) => sum + load) / loads.length;
  }
}
