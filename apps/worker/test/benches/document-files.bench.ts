import fs from 'node:fs';
import {
  DEMO_KEY,
  Figures,
  median,
  percentile,
  queueStores,
  startProcesses,
} from '@counterfoil/test-harness';
import { sendOk } from '../send-ok';

const DOCUMENTS = 1_000;
const AT_ONCE = 8;

/** The most memory that a process has ever had, in MiB. */
function peakMib(pid: number): number {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Different texts in both languages, and one to eight items, so that most have one page. */
function bodyOf(entityId: number, at: number) {
  const items = Array.from({ length: 1 + (at % 8) }, (_, item) => ({
    description: at % 2 === 0 ? `Consulting ${at}, visit ${item + 1}` : `ייעוץ ${at}, ביקור ${item + 1}`,
    quantity: item + 1,
    unitPrice: 120.5,
  }));
  return { entityId, items, notes: at % 2 === 0 ? 'Thank you.' : 'תודה רבה.' };
}

it.each(queueStores())(
  'PDFs take little memory, and callers wait shortly, with the $kind queue',
  async (store) => {
    const service = await startProcesses(store);
    const figures = new Figures();
    figures.heading(`${DOCUMENTS} different documents of a page, one after the other, ${store.kind}`);
    try {
      const client = { name: 'Cedar Ltd', taxId: '514000017', type: 'COMPANY' };
      const { clientId } = await sendOk<{ clientId: number }>(service, 'POST', '/clients/create', client);
      const ids: number[] = [];
      for (let at = 0; at < DOCUMENTS; at += AT_ONCE) {
        const bodies = Array.from({ length: AT_ONCE }, (_, more) => bodyOf(clientId, at + more));
        const created = bodies.map((body) =>
          sendOk<{ id: number }>(service, 'POST', '/documents/create/tax-invoice', body),
        );
        ids.push(...(await Promise.all(created)).map(({ id }) => id));
      }
      const before = peakMib(service.worker.pid);
      const took: number[] = [];
      for (const id of ids) {
        const started = performance.now();
        const answer = await fetch(`${service.url}/documents/id/${id}/pdf`, {
          headers: { authorization: `Bearer ${DEMO_KEY}` },
        });
        await answer.arrayBuffer();
        took.push(performance.now() - started);
        expect(answer.status).toBe(200);
      }
      figures.add('a PDF, from the call to its last byte, p50', median(took), ' ms');
      figures.add('the same, p95', percentile(took, 0.95), ' ms');
      const peak = peakMib(service.worker.pid);
      figures.add('peak memory of the worker', peak, ' MiB');
      figures.add('of it for the documents', peak - before, ' MiB', { atMost: 256 });
      expect(figures.broken).toEqual([]);
    } finally {
      await service.stop();
    }
  },
);
