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
  readonly remove: () => void;
}

/** The certificate that the hosts of the run trust (tools/testing/services-setup.cjs), or without hosts a new one. */
export async function trustedCertificate(): Promise<SelfSigned> {
  const certificateFile = process.env['TEST_CERTIFICATE'];
  if (!certificateFile) return selfSigned();
  const [cert, key] = [certificateFile, keyBeside(certificateFile)].map((file) =>
    fs.readFileSync(file, 'utf8'),
  );
  return { cert: cert!, key: key!, certificateFile, remove: () => undefined };
}

const keyBeside = (certificateFile: string): string => path.join(path.dirname(certificateFile), 'key.pem');

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
  fs.writeFileSync(keyBeside(certificateFile), key);
  return {
    cert,
    key,
    certificateFile,
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}
