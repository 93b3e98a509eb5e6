import type { S3Client } from '@aws-sdk/client-s3';
import type * as Sdk from '@aws-sdk/client-s3';
import type { S3Config } from '@counterfoil/config';
import type { S3Limits } from './s3-limits';

const CONNECT_TIMEOUT_MS = 5_000;

/** Errors are thrown too, and the SDK's own lines do not belong in our log. */
const nothing = (): void => undefined;
const SILENT = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

export interface S3Clients {
  readonly sdk: typeof Sdk;
  /** Its connections are held by readers, as long as they like. */
  readonly reader: S3Client;
  /** Has connections of its own, so that no reader delays an upload. Makes one attempt. */
  readonly writer: S3Client;
}

export function connect(
  sdk: typeof Sdk,
  config: S3Config,
  { answerMaxMs, readsAtOnce, writesAtOnce }: S3Limits & { readonly writesAtOnce: number },
): S3Clients {
  // The time of the answer alone: from then on the reader's own pauses would count too.
  const reading = { requestTimeout: answerMaxMs, throwOnRequestTimeout: true, ...sockets(readsAtOnce) };
  return {
    sdk,
    reader: new sdk.S3Client({ ...optionsOf(config), requestHandler: reading }),
    writer: new sdk.S3Client({ ...optionsOf(config), maxAttempts: 1, requestHandler: sockets(writesAtOnce) }),
  };
}

function optionsOf({ endpoint, region, credentials, forcePathStyle }: S3Config): Sdk.S3ClientConfig {
  return {
    ...(endpoint === null ? {} : { endpoint }),
    ...(credentials === null ? {} : { credentials }),
    region,
    forcePathStyle,
    // Stores other than Amazon's own know nothing of the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: SILENT,
  };
}

/** The caller watches for silence of the store. */
function sockets(maxSockets: number) {
  const agent = { keepAlive: true, maxSockets };
  return { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: 0, httpAgent: agent, httpsAgent: agent };
}
