import { createRequire } from 'node:module';
import path from 'node:path';
import type * as ReceiptReader from '@counterfoil/receipt-reader';

const TIMEOUT_MS = 60_000;

/** The reader processes without a service, as the baseline of a bench. */
export interface BareReader {
  /** @returns the time for recognising the pages of a document, in ms */
  recognise(bytes: Buffer): Promise<number>;
  stop(): void;
}

export async function startBareReader(): Promise<BareReader> {
  // The compiled module: it starts processes of compiled files.
  const index = path.resolve(__dirname, '../../../../dist/libs/receipt-reader/src/index.js');
  const { chooseSandbox, ReceiptProcesses } = createRequire(index)(index) as typeof ReceiptReader;
  const { sandbox } = await chooseSandbox('auto');
  const processes = new ReceiptProcesses(TIMEOUT_MS, sandbox);
  return {
    recognise: async (bytes) => {
      const today = new Date().toISOString().slice(0, 10);
      const started = performance.now();
      await processes.read({ owner: 0, bytes, declaredKind: null, today, recognise: true, withText: false });
      return performance.now() - started;
    },
    stop: () => processes.stop(),
  };
}
