export { CatchUp, type ScheduledWork, type WorkOfKinds } from './catch-up';
export { CompanyTurn } from './company-turn';
export { assertFirstRun } from './first-run';
export { REFUSED_RUN_COLUMNS, type RefusedRun, withRefusal, type WithRefusedRunColumns } from './refused-run';
export { ScheduleJobs } from './schedule-jobs';
export {
  type NewSchedule,
  type RunRefusal,
  RunTaken,
  SCHEDULE_KINDS,
  type ScheduledRun,
  type ScheduleKind,
  Schedules,
} from './schedules';
export { SchedulingModule } from './scheduling.module';
