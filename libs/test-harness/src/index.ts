export { startTestContext, testConfig, type TestContext } from './context';
export { startEventReceiver, type EventReceiver, type ReceivedEvent } from './event-receiver';
export { type Bound, Figures, median } from './figures';
export { mappedTables, type MappedTable } from './mapped-tables';
export { flushStore, noteCovered, queueStores, type TestStore } from './queue-stores';
export { DEMO_KEY, freePorts, ServiceProcess, startService, type TestApi, type TestService } from './service';
export { startTcpProxy, type TcpProxy } from './tcp-proxy';
export { createTestDatabase, type HeldTransaction, type TestDatabase } from './test-database';
export { until } from './until';
