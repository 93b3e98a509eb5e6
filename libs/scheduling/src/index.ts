export { CatchUp, type ScheduledWork, type WorkOfKinds } from './catch-up';
export { CompanyTurn } from './company-turn';
export { assertFirstRun, assertRunsMissed } from './first-run';
export { REFUSED_RUN_COLUMNS, type RefusedRun, withRefusal, type WithRefusedRunColumns } from './refused-run';
export { ScheduleJobs } from './schedule-jobs';
export { type RunRefusal, RunTaken, type ScheduledRun, Schedules } from './schedules';
export { SchedulingModule } from './scheduling.module';
export { SCHEDULING_JOBS } from './jobs';
