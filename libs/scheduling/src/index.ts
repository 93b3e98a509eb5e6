export { SCHEDULING_COMPANY_DATA } from './company-data.sql';
export { RunDueOccurrences, type ScheduledWork, type WorkOfKinds } from './run-due-occurrences';
export { CompanyBatch } from './company-batch';
export { assertFirstRun, assertRunsMissed, countDueRuns } from './first-run';
export { REFUSED_RUN_COLUMNS, type RefusedRun, withRefusal, type WithRefusedRunColumns } from './refused-run';
export { ScheduleJobs } from './schedule-jobs';
export { type RunRefusal, RunTaken, type ScheduledRun, Schedules } from './schedules';
export { SchedulingModule } from './scheduling.module';
export { SCHEDULING_JOBS } from './jobs';
