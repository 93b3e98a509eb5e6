export { JOBS } from '@counterfoil/schema';
export { type Described, type DescribedColumn, type Shape, StatementDescriber } from './described-statements';
export { seriousViolationsOn, violationsOn } from './accessibility';
export { type AdminOutcome, AdminProcess } from './admin-process';
export { type AttackCall, type Attackers, type Held, startAttackers } from './attackers';
export { type OpenContext, openTestContext, startTestContext, testConfig, type TestContext } from './context';
export { DocumentServer } from './document-server';
export { startEventReceiver, type EventReceiver, type ReceivedEvent } from './event-receiver';
export { type EventSink, type Mood, type SinkExchange, startEventSink } from './event-sink';
export { Figures, median, percentile } from './figures';
export { freePorts } from './free-ports';
export { type Heap, heapOf, heapSnapshotOf, probed } from './heap';
export { hostileDocuments } from './hostile-documents';
export { HOSTILE_TEXTS } from './hostile-texts';
export { type HostileReceivers, startHostileReceivers } from './hostile-receivers';
export { type HttpLoad, type LoadInput, type Post, startHttpLoad } from './http-load';
export { inParallel } from './in-parallel';
export { type Installation, installPackages, typeErrorsIn } from './installed-packages';
export { describeListPlans } from './list-plans';
export { BusyTime, relativeCost, workOneUnit } from './machine-speed';
export { type MailReceiver, type ReceivedMail, startMailReceiver } from './mail-receiver';
export { mappedTables } from './mapped-tables';
export { chromiumProgram, launchChromium } from './own-chromium';
export { hasPgBouncer, type OwnPgBouncer, startPgBouncer } from './own-pgbouncer';
export { type OwnPostgres, startOwnPostgres } from './own-postgres';
export { hasOwnRedis, type OwnRedis, startOwnRedis } from './own-redis';
export {
  flushStore,
  noteCovered,
  oneQueueStore,
  POSTGRESQL,
  queueStores,
  type TestStore,
  textOfStore,
} from './queue-stores';
export { callsPerSecond, ofRounds, ratesInTurn } from './pace';
export { pdfOf, stream } from './pdf-file';
export { type PacedAnswers, type PacedCall, type PacedCallers, startPacedCallers } from './paced-calls';
export { notePauses, type PauseMeter, type Pauses, startPauseMeter } from './pause-meter';
export { type PlainRoute, type PlainServer, startPlainServer } from './plain-server';
export { genericPlanOf, planOf, type PlanNode } from './plans';
export { processFamily, processorMs } from './process-family';
export { slowPdf } from './slow-pdf';
export { rowsOf } from './rows-of';
export {
  roundTripsOf,
  PlainClient,
  type SentStatement,
  statementsOf,
  transactionOf,
} from './sent-statements';
export {
  startApiServiceProcess,
  startApiService,
  startProcesses,
  startService,
  startServiceOf,
  startServiceOn,
} from './service';
export { DEMO_KEY } from './service-access';
export { type Answered } from './service-calls';
export { ServiceProcess } from './service-process';
export { selfSigned } from './self-signed';
export { SetClock } from './set-clock';
export { startTcpProxy, type TcpProxy } from './tcp-proxy';
export {
  createDatabaseBefore,
  createTestDatabase,
  databaseAt,
  type DatabaseBefore,
  type HeldTransaction,
  keepDatabase,
  migrateTestDatabase,
  type TestDatabase,
} from './test-database';
export {
  type CollectedSpan,
  type CollectorMood,
  startTraceCollector,
  type TraceCollector,
} from './trace-collector';
export { startTraceDrain, type TraceDrain } from './trace-drain';
export type {
  ApiServiceProcess,
  ServiceProcesses,
  TestApi,
  TestApiProcess,
  TestCompany,
  TestService,
} from './test-service';
export { until } from './until';
