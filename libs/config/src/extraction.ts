import type { ExtractionConfig, SecondReaderConfig } from './config';
import type { EnvironmentReader } from './environment-reader';

/** Reads how receipts are read (decisions §7): on this machine alone, unless the operator names a second reader. */
export function readExtraction(read: EnvironmentReader): ExtractionConfig {
  return {
    timeoutMs: read.duration('EXTRACTION_TIMEOUT', '30s', '10m'),
    secondReader: readSecondReader(read),
  };
}

function readSecondReader(read: EnvironmentReader): SecondReaderConfig | null {
  const url = read.bareUrl('SECOND_READER_URL', ['https:', 'http:']);
  const model = read.optionalText('SECOND_READER_MODEL');
  const apiKey = read.optionalText('SECOND_READER_API_KEY');
  if (url !== null && model !== null) return { url, model, apiKey };
  if (url === null && model === null && apiKey === null) return null;
  return read.fault('SECOND_READER_URL and SECOND_READER_MODEL go together', null);
}
