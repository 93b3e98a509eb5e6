export {
  ALLOCATION_NUMBER_SOURCES,
  Config,
  ConfigError,
  EXCHANGE_RATE_SOURCES,
  LOG_LEVELS,
  PAYMENT_GATEWAYS,
  SANDBOX_AUTHORITY_MODES,
  type AllocationNumbersConfig,
  type AllocationNumberSource,
  type AllowedNetwork,
  type AmountFromDate,
  type ExchangeRatesConfig,
  type ExchangeRateSource,
  type ExtractionConfig,
  type FilesConfig,
  type IsraelAuthorityConfig,
  type LogLevel,
  type PaymentGateway,
  type S3Config,
  type SandboxAuthorityMode,
  type SecondReaderConfig,
} from './config';
export { ConfigModule } from './config.module';
export { type Environment } from './environment-reader';
export { loadConfig, loadProcessConfig } from './load-config';
