import { until } from '@counterfoil/test-harness';
import type { ExampleSession } from './example-session';

/** Reads the audit log and the request log, which have the earlier calls within seconds. */
export async function callLogs(api: ExampleSession): Promise<void> {
  const query = { entity: 'company', action: 'update' };
  await until('the entry', async () => {
    const { data } = await api.ask<{ data: readonly unknown[] }>('audit.list', { query });
    return data.length === 1;
  });
  await api.call('audit.list', { query });
  const edits = { route: '/clients/edit/{visibleId}', status: 200 };
  await until('the request', async () => {
    const { data } = await api.ask<{ data: readonly unknown[] }>('requests.list', { query: edits });
    return data.length === 1;
  });
  await api.call('requests.list', { query: edits });
}
