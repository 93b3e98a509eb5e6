import { AppError } from '@counterfoil/kernel';
import type { FastifyInstance } from 'fastify';
import { isAbandoned } from './answer-gate';
import type { Connections } from './connections';
import type { LoneCompany } from './lone-company';
import type { AuthenticatedRequest } from './route.decorators';

/** Requests of a company that are never delayed, however busy the process is. */
const UNDELAYED = 4;
/** A company with a larger share of all requests, open or waiting, may be delayed. */
const FAIR_SHARE = 0.5;
const SAMPLE_MS = 50;
/** Shares of the time in which the event loop is busy: above the one, intervals grow; below the other, they shrink. */
const BUSY = 0.5;
const FREE = 0.3;
const FACTOR = 1.5;
const INTERVAL_MIN_MS = 1;
const INTERVAL_MAX_MS = 50;
const WAITING_MAX = 1_000;
const WAIT_MAX_MS = 10_000;
const RETRY_AFTER_SECONDS = 2;

interface Waiter {
  readonly admit: () => void;
  readonly refuse: () => void;
  readonly isAbandoned: () => boolean;
  readonly until: number;
}

interface CompanyAdmissions {
  open: number;
  /** Between two admissions; 0 where they are not delayed. */
  intervalMs: number;
  /** The earliest time of the next admission. */
  nextAt: number;
  readonly waiting: Set<Waiter>;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Delays the requests of a company that has most of them while the event loop is busy: it admits them at intervals,
 * which grow until others find the event loop free. Each request costs some time of the event loop before it reaches a
 * semaphore, and all companies share it.
 */
export class Admissions {
  private readonly companies = new Map<number, CompanyAdmissions>();

  /**
   * Waits until the request is admitted. The caller ends it with `leave`.
   *
   * @throws AppError `UNAVAILABLE` after 10 s, or where too many requests of the company wait
   */
  async enter(companyId: number, abandoned: () => boolean = () => false): Promise<void> {
    const company = this.of(companyId);
    if (requestsOf(company) < UNDELAYED || this.isFree(company)) {
      company.open += 1;
      return;
    }
    if (company.waiting.size >= WAITING_MAX) throw refusal();
    await new Promise<void>((resolve, reject) => {
      company.waiting.add({
        admit: resolve,
        refuse: () => reject(refusal()),
        isAbandoned: abandoned,
        until: performance.now() + WAIT_MAX_MS,
      });
      this.schedule(company);
    });
  }

  leave(companyId: number): void {
    const company = this.of(companyId);
    company.open -= 1;
    this.admitDue(company);
    this.forgetIdle(companyId, company);
  }

  /** @param utilization the share of the last moments in which the event loop was busy */
  adapt(utilization: number): void {
    const fairShare =
      FAIR_SHARE * [...this.companies.values()].reduce((sum, each) => sum + requestsOf(each), 0);
    for (const [companyId, company] of this.companies) {
      const isCrowded = requestsOf(company) > Math.max(UNDELAYED, fairShare);
      if (utilization > BUSY && isCrowded) lengthenInterval(company);
      else if (utilization < FREE || !isCrowded) shortenInterval(company);
      this.admitDue(company);
      this.forgetIdle(companyId, company);
    }
  }

  private isFree(company: CompanyAdmissions): boolean {
    if (company.waiting.size > 0) return false;
    const now = performance.now();
    if (now < company.nextAt) return false;
    company.nextAt = now + company.intervalMs;
    return true;
  }

  private admitDue(company: CompanyAdmissions): void {
    const now = performance.now();
    for (const waiter of company.waiting) {
      if (waiter.isAbandoned() || now > waiter.until) {
        company.waiting.delete(waiter);
        waiter.refuse();
        continue;
      }
      if (company.open >= UNDELAYED && now < company.nextAt) break;
      company.waiting.delete(waiter);
      company.nextAt = now + company.intervalMs;
      company.open += 1;
      waiter.admit();
    }
    this.schedule(company);
  }

  private schedule(company: CompanyAdmissions): void {
    if (company.waiting.size === 0 || company.timer) return;
    company.timer = setTimeout(
      () => {
        company.timer = undefined;
        this.admitDue(company);
      },
      Math.max(1, company.nextAt - performance.now()),
    );
  }

  private forgetIdle(companyId: number, company: CompanyAdmissions): void {
    if (requestsOf(company) === 0 && company.intervalMs === 0) this.companies.delete(companyId);
  }

  private of(companyId: number): CompanyAdmissions {
    let company = this.companies.get(companyId);
    if (!company) {
      company = { open: 0, intervalMs: 0, nextAt: 0, waiting: new Set(), timer: undefined };
      this.companies.set(companyId, company);
    }
    return company;
  }
}

const requestsOf = ({ open, waiting }: CompanyAdmissions): number => open + waiting.size;

function lengthenInterval(company: CompanyAdmissions): void {
  const longer = Math.max(INTERVAL_MIN_MS, company.intervalMs * FACTOR);
  company.intervalMs = Math.min(INTERVAL_MAX_MS, longer);
}

function shortenInterval(company: CompanyAdmissions): void {
  const shorter = company.intervalMs / FACTOR;
  company.intervalMs = shorter < INTERVAL_MIN_MS ? 0 : shorter;
}

interface AdmittedRequest extends AuthenticatedRequest {
  leaveAdmissions?: () => void;
}

/** Call this after the hook that authorizes, and before those that read bodies. */
export function gateAdmissions(server: FastifyInstance, connections: Connections, lone: LoneCompany): void {
  const admissions = new Admissions();
  let last = performance.eventLoopUtilization();
  const sampling = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    admissions.adapt(lone.isAlone() ? 0 : utilization);
  }, SAMPLE_MS).unref();
  server.addHook('onClose', (_instance, done) => {
    clearInterval(sampling);
    done();
  });
  server.addHook('onRequest', (request: AdmittedRequest, _reply, done) => {
    const { caller, raw } = request;
    if (!caller || request.leaveAdmissions) return done();
    const { companyId } = caller;
    lone.note(companyId);
    admissions
      .enter(companyId, () => isAbandoned(request))
      .then(() => {
        let isOpen = true;
        const leave = () => {
          if (isOpen) admissions.leave(companyId);
          isOpen = false;
        };
        const letGo = connections.hold(raw.socket, leave);
        request.leaveAdmissions = () => {
          letGo();
          leave();
        };
        if (raw.socket.destroyed) request.leaveAdmissions();
        done();
      }, done);
  });
  server.addHook('onResponse', (request: AdmittedRequest, _reply, done) => {
    request.leaveAdmissions?.();
    done();
  });
}

function refusal(): AppError {
  return new AppError('UNAVAILABLE', 'too many requests of this company are under way; try again', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
