export { type OpenContext, openTestContext, startTestContext, testConfig, type TestContext } from './context';
export { DocumentServer } from './document-server';
export { startEventReceiver, type EventReceiver, type ReceivedEvent } from './event-receiver';
export {
  type EndpointTally,
  type EventSink,
  type Mood,
  type SinkExchange,
  type SinkState,
  startEventSink,
} from './event-sink';
export { type Bound, Figures, median, percentile } from './figures';
export { hostileDocuments } from './hostile-documents';
export { type HttpLoad, type LoadAnswered, type LoadAsked, startHttpLoad } from './http-load';
export { mappedTables, type MappedTable } from './mapped-tables';
export { type OwnPostgres, startOwnPostgres } from './own-postgres';
export { flushStore, noteCovered, queueStores, type TestStore, textOfStore } from './queue-stores';
export { callsPerSecond, ofRounds, ratesInTurn, type Slices } from './pace';
export { pdfOf, stream } from './pdf-file';
export { planOf, type PlanNode } from './plans';
export { PlainClient, type SentStatement, transactionOf } from './sent-statements';
export {
  DEMO_KEY,
  freePorts,
  ServiceProcess,
  startService,
  startServiceOn,
  type Answered,
  type TestApi,
  type TestService,
} from './service';
export { SetClock } from './set-clock';
export { startTcpProxy, type TcpProxy } from './tcp-proxy';
export { createTestDatabase, databaseAt, type HeldTransaction, type TestDatabase } from './test-database';
export { until } from './until';
