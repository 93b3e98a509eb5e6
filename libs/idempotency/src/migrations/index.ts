import { BegunCalls1795496400000 } from './1795496400000-begun-calls';

export const IDEMPOTENCY_MIGRATIONS = [BegunCalls1795496400000];
