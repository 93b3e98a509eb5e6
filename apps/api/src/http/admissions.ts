import { type Admission, type Arrival, CompanyAdmissions } from './company-admissions';

/** The load of a request fades in this time, so that a load is about that of the last second. */
const LOAD_MS = 1_000;
/** A company with a smaller load is never delayed: the longest interval admits as much. */
const QUIET_LOAD = 20;
/** A company crowds the process if its load exceeds an equal share by this factor. */
const MARGIN = 1.25;

/** Shares of the time in which the event loop is busy: above the one, intervals grow; below the other, they end soon. */
const BUSY = 0.5;
const FREE = 0.3;
/** By what an interval changes between two calls of `adapt`. It shrinks slowly, lest it swing. */
const GROWTH = 1.5;
const END = 1 / GROWTH;
const DECLINE = 0.95;

/**
 * Delays the requests of companies that crowd the process while its event loop is busy: it admits them at intervals,
 * which grow until others find the event loop free. Each request costs some time of the event loop before it reaches
 * a semaphore, and all companies share it.
 *
 * The load of a company is what it has asked for lately: its requests, weighted by their JSON, and those that wait. How
 * many are open says less, since most of them wait for the database or for bytes.
 */
export class Admissions {
  private readonly companies = new Map<number, CompanyAdmissions>();
  private adaptedAt = performance.now();

  /** @throws AppError `UNAVAILABLE` if too many requests of the company wait */
  enter(companyId: number, arrival: Arrival): Admission {
    let company = this.companies.get(companyId);
    if (!company) {
      company = new CompanyAdmissions();
      this.companies.set(companyId, company);
    }
    return company.enter(arrival);
  }

  /** @param utilization the share of the last moments in which the event loop was busy */
  adapt(utilization: number): void {
    const now = performance.now();
    const rest = Math.exp((this.adaptedAt - now) / LOAD_MS);
    this.adaptedAt = now;
    for (const [companyId, company] of this.companies) {
      company.fade(rest);
      if (company.isIdle) this.companies.delete(companyId);
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
