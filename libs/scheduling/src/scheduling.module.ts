import { Module } from '@nestjs/common';
import { CatchUp } from './catch-up';
import { CompanyTurn } from './company-turn';
import { PostgresSchedules } from './postgres-schedules';
import { ScheduleJobs } from './schedule-jobs';
import { Schedules } from './schedules';

@Module({
  providers: [CatchUp, CompanyTurn, ScheduleJobs, { provide: Schedules, useClass: PostgresSchedules }],
  exports: [CatchUp, CompanyTurn, ScheduleJobs, Schedules],
})
export class SchedulingModule {}
