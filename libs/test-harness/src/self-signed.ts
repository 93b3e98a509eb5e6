import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { generate } from 'selfsigned';

/** A certificate for servers on this machine, which senders must be configured to trust. */
export interface SelfSigned {
  readonly cert: string;
  readonly key: string;
  /** The path of the certificate, for `NODE_EXTRA_CA_CERTS`. */
  readonly certificateFile: string;
  remove(): void;
}

/** Uses an elliptic curve, because many new connections with RSA would dominate the measurement. */
export async function selfSigned(): Promise<SelfSigned> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-receiver-'));
  const certificateFile = path.join(folder, 'certificate.pem');
  fs.writeFileSync(certificateFile, cert);
  return {
    cert,
    key,
    certificateFile,
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}
