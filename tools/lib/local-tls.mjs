// The certificate authority of one data folder. The service that runs on the folder trusts it in addition to the usual
// ones, so that `npm run listen` can receive events over HTTPS like any endpoint.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Fault } from './fault.mjs';
import { writeWhole } from './files.mjs';

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3650;
const SERVER_DAYS = 30;
const BACKDATED_MS = DAY_MS;

const filesIn = (dataDir) => ({
  folder: path.join(dataDir, 'tls'),
  certificate: path.join(dataDir, 'tls', 'ca.pem'),
  key: path.join(dataDir, 'tls', 'ca.key.pem'),
  trusted: path.join(dataDir, 'tls', 'trusted.pem'),
});

export async function ensureLocalAuthority(dataDir) {
  const files = filesIn(dataDir);
  if (isUsable(files)) return;
  const { private: key, cert } = await issue('Counterfoil local development authority', AUTHORITY_DAYS, {
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  fs.mkdirSync(files.folder, { recursive: true, mode: 0o700 });
  writeWhole(files.key, key, 0o600);
  writeWhole(files.certificate, cert);
}

/** False also if certificate and key do not match, or one is incomplete after a power cut. */
function isUsable(files) {
  try {
    const certificate = new X509Certificate(fs.readFileSync(files.certificate));
    const isPair = certificate.checkPrivateKey(createPrivateKey(fs.readFileSync(files.key)));
    return isPair && Date.parse(certificate.validTo) - Date.now() > SERVER_DAYS * DAY_MS;
  } catch {
    return false;
  }
}

/** Writes this authority and the user's own to one file, because Node accepts only one. */
export function trustFileFor(dataDir, userFile) {
  const { certificate, trusted } = filesIn(dataDir);
  const parts = [userFile, certificate].filter(Boolean).map((file) => {
    try {
      return fs.readFileSync(file, 'utf8').trimEnd();
    } catch (error) {
      throw new Fault(`NODE_EXTRA_CA_CERTS: cannot read ${file} (${error.code})`);
    }
  });
  writeWhole(trusted, `${parts.join('\n')}\n`);
  return trusted;
}

/**
 * @param {string} why the explanation to print if there is no authority
 * @returns {Promise<{ key: string, cert: string }>} for a server on this machine, signed by the local authority
 */
export async function localServerCertificate(dataDir, why) {
  const files = filesIn(dataDir);
  if (!isUsable(files)) {
    throw new Fault(`there is no certificate authority in ${files.folder}: ${why}`);
  }
  const ca = { key: fs.readFileSync(files.key, 'utf8'), cert: fs.readFileSync(files.certificate, 'utf8') };
  const { private: key, cert } = await issue('localhost', SERVER_DAYS, {
    ca,
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  return { key, cert };
}

async function issue(commonName, days, options) {
  const { default: selfsigned } = await import('selfsigned');
  return selfsigned.generate([{ name: 'commonName', value: commonName }], {
    keyType: 'ec',
    algorithm: 'sha256',
    // Backdated, so that a clock that is corrected backwards does not invalidate the certificate.
    notBeforeDate: new Date(Date.now() - BACKDATED_MS),
    notAfterDate: new Date(Date.now() + days * DAY_MS),
    ...options,
  });
}
