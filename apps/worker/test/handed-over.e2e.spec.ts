import { queueStores } from '@counterfoil/test-harness';
import { runHandedOver } from './trials/handed-over-run';

const KILLS = 4;

describe.each(queueStores())(
  'with the $kind queue, API and workers killed while documents are sent',
  (store) => {
    it('every document has one number and one PDF, and no mail is lost or doubled', async () => {
      const report = await runHandedOver(store, KILLS);
      const { killed, documents, recipients, issued } = report;
      expect(killed.api + killed.worker).toBeGreaterThanOrEqual(KILLS);
      expect(Math.min(killed.api, killed.worker)).toBeGreaterThan(0);
      expect(documents).toBeGreaterThan(0);
      expect(report).toMatchObject({
        ...{ issued: report.numbers, issuedTwice: 0, sentTwice: 0, receivedTwice: 0, failed: 0 },
        ...{ acceptedAndNotReceived: 0, otherPdfs: 0, pdfsMax: 1, mails: documents * recipients },
      });
      expect(issued).toBe(documents);
    }, 600_000);
  },
);
