import type { S3Client } from '@aws-sdk/client-s3';
import type * as Sdk from '@aws-sdk/client-s3';
import type { S3Config } from '@counterfoil/config';
import type { S3Limits } from './s3-limits';

const CONNECT_TIMEOUT_MS = 5_000;

/** Disables the SDK's own log lines. It throws its errors as well. */
const nothing = (): void => undefined;
const SILENT = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

export interface S3Clients {
  readonly sdk: typeof Sdk;
  /** Readers hold its connections for any time. */
  readonly reader: S3Client;
  /** Has separate connections, so that readers do not delay uploads. Makes one attempt. */
  readonly writer: S3Client;
}

export function connect(
  sdk: typeof Sdk,
  config: S3Config,
  { answerMaxMs, readsAtOnce, writesAtOnce }: S3Limits & { readonly writesAtOnce: number },
): S3Clients {
  // Only until the answer begins: a timeout of the whole request would include the reader's pauses.
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
    // Other stores than Amazon's do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: SILENT,
  };
}

/** Without a socket timeout, because callers of the clients detect a silent store themselves. */
function sockets(maxSockets: number) {
  const agent = { keepAlive: true, maxSockets };
  return { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: 0, httpAgent: agent, httpsAgent: agent };
}
