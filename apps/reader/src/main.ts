import { loadReaderConfig } from '@counterfoil/config';
import { runProcess } from '@counterfoil/lifecycle';
import { createLog } from '@counterfoil/observability';
import { chooseSandbox, noteSandbox, ReceiptProcesses, serveReceipts } from '@counterfoil/receipt-reader';

const RISK =
  'A receipt that takes the reader over can reach all that this process can: that is nothing where it runs in a container ' +
  "of its own, without secrets, without network, and without volumes but the socket's. Elsewhere, set " +
  'READER_SANDBOX=require to refuse to start without a sandbox: docs/operations.md';

void runProcess(async () => {
  const config = loadReaderConfig();
  const log = createLog(config, 'reader');
  const chosen = await chooseSandbox(config.sandbox);
  noteSandbox(chosen, log, RISK);
  const processes = new ReceiptProcesses(config.documentTimeoutMs, chosen.sandbox);
  const server = await serveReceipts(config.socket, processes);
  return {
    close: () => {
      // Workers are notified, and request its readings again.
      processes.stop();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
});
