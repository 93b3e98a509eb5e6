import { Module } from '@nestjs/common';
import { RunDueOccurrences } from './run-due-occurrences';
import { CompanyBatch } from './company-batch';
import { PostgresSchedules } from './postgres-schedules';
import { ScheduleJobs } from './schedule-jobs';
import { Schedules } from './schedules';

@Module({
  providers: [
    RunDueOccurrences,
    CompanyBatch,
    ScheduleJobs,
    { provide: Schedules, useClass: PostgresSchedules },
  ],
  exports: [RunDueOccurrences, CompanyBatch, ScheduleJobs, Schedules],
})
export class SchedulingModule {}
