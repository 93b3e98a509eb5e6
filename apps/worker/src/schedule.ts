import { Config } from '@counterfoil/config';
import { LoadPublishedRates, RevalueExpenses } from '@counterfoil/expenses';
import { Injectable } from '@nestjs/common';
import { Housekeeping } from './housekeeping';
import { Sweeps } from './sweeps';
import type { Task } from './task';

const HOUR_MS = 3_600_000;

/** What the worker does at intervals. Each task may run in many workers at once. */
@Injectable()
export class Schedule {
  constructor(
    private readonly config: Config,
    private readonly sweeps: Sweeps,
    private readonly revalueExpenses: RevalueExpenses,
    private readonly loadPublishedRates: LoadPublishedRates,
    private readonly housekeeping: Housekeeping,
  ) {}

  tasks(): readonly Task[] {
    const soon = this.config.schedulerIntervalMs;
    return [
      ...this.sweeps.tasks(soon),
      { name: 'revalue expenses', work: (signal) => this.revalueExpenses.execute(signal), pauseMs: soon },
      { name: 'load published rates', work: () => this.loadPublishedRates.execute(), pauseMs: HOUR_MS },
      ...this.housekeeping.tasks(),
    ];
  }
}
