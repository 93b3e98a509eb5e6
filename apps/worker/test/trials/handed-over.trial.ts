import { Figures, queueStores } from '@counterfoil/test-harness';
import { runHandedOver } from './handed-over-run';

const KILLS = 300;

describe.each(queueStores())(
  'with the $kind queue, API and workers killed while documents are sent',
  (store) => {
    it('every document has one number and one PDF, and no mail is lost or doubled', async () => {
      const figures = new Figures();
      figures.heading(`${store.kind}: ${KILLS} kills between issuing, rendering and sending`);
      const report = await runHandedOver(store, KILLS);
      const { killed } = report;
      figures.add('API processes killed', killed.api, '', { atLeast: KILLS / 3 });
      figures.add('workers killed', killed.worker, '', { atLeast: KILLS / 3 });
      figures.add('calls', report.calls);
      figures.add('calls that clients made again', report.retries);
      figures.add('documents handed over', report.documents, '', { atLeast: 1 });
      figures.add('documents issued', report.issued, '', { atLeast: report.documents });
      figures.add('numbers that are missing', report.numbers - report.issued, '', { atMost: 0 });
      figures.add('documents issued twice', report.issuedTwice, '', { atMost: 0 });
      figures.add('PDFs of one document, at most', report.pdfsMax, '', { atMost: 1 });
      figures.add('mails', report.mails, '', { atLeast: report.documents * report.recipients });
      figures.add('accepted', report.accepted);
      figures.add('uncertain', report.uncertain);
      figures.add('of these, not received', report.uncertainAndNotReceived);
      figures.add('failed otherwise', report.failed, '', { atMost: 0 });
      figures.add('documents sent twice', report.sentTwice, '', { atMost: 0 });
      figures.add('received twice', report.receivedTwice, '', { atMost: 0 });
      figures.add('accepted, and not received', report.acceptedAndNotReceived, '', { atMost: 0 });
      figures.add('received with another PDF than the stored one', report.otherPdfs, '', { atMost: 0 });
      expect(figures.broken).toEqual([]);
    });
  },
);
