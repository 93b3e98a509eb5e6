export {
  ALLOCATION_NUMBER_SOURCES,
  Config,
  ConfigError,
  LOG_LEVELS,
  SANDBOX_AUTHORITY_MODES,
  type AllocationNumbersConfig,
  type AllocationNumberSource,
  type AllowedNetwork,
  type AmountFromDate,
  type IsraelAuthorityConfig,
  type LogLevel,
  type SandboxAuthorityMode,
} from './config';
export { ConfigModule } from './config.module';
export { type Environment } from './environment-reader';
export { loadConfig, loadProcessConfig } from './load-config';
