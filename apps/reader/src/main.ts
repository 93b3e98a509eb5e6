import { loadReaderConfig } from '@counterfoil/config';
import { runProcess } from '@counterfoil/lifecycle';
import { createLog } from '@counterfoil/observability';
import { chooseSandbox, noteSandbox, ReceiptProcesses, serveReceipts } from '@counterfoil/receipt-reader';

void runProcess(async () => {
  const config = loadReaderConfig();
  const log = createLog(config, 'reader');
  const chosen = await chooseSandbox(config.sandbox);
  noteSandbox(chosen, log);
  const processes = new ReceiptProcesses(config.documentTimeoutMs, chosen.sandbox);
  const server = await serveReceipts(config.socket, processes);
  return {
    close: () => {
      // Workers are told that the reader is lost, and have what it was reading read again.
      processes.stop();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
});
