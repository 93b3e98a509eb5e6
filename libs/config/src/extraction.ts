import { type ExtractionConfig, READER_SANDBOXES, type SecondReaderConfig } from './config';
import type { EnvironmentReader } from './environment-reader';

/**
 * The share of the caller's timeout for reading the document. The rest is for sending the outcome in time.
 */
const READER_SHARE = 0.9;

/**
 * Reads the settings of receipt reading (contract §12). Documents leave the machine only if the operator
 * configures a second reader.
 */
export function readExtraction(read: EnvironmentReader): ExtractionConfig {
  const timeoutMs = read.duration('EXTRACTION_TIMEOUT', '30s', '10m');
  return {
    timeoutMs,
    documentTimeoutMs: timeoutMs * READER_SHARE,
    socket: read.optionalText('READER_SOCKET'),
    sandbox: read.oneOf('READER_SANDBOX', READER_SANDBOXES, 'auto'),
    secondReader: readSecondReader(read),
  };
}

function readSecondReader(read: EnvironmentReader): SecondReaderConfig | null {
  const url = read.bareUrl('SECOND_READER_URL', ['https:', 'http:']);
  const model = read.optionalText('SECOND_READER_MODEL');
  const apiKey = read.optionalText('SECOND_READER_API_KEY');
  if (url !== null && model !== null) return { url, model, apiKey };
  if (url === null && model === null && apiKey === null) return null;
  return read.fault('SECOND_READER_URL and SECOND_READER_MODEL must be set together', null);
}
