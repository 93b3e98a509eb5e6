export {
  Config,
  ConfigError,
  type ExtractionConfig,
  type IsraelAuthorityConfig,
  type S3Config,
  type SandboxAuthorityMode,
  type SecondReaderConfig,
  type TracingConfig,
  type TrustedProxies,
} from './config';
export type { AllowedNetwork } from './setting-values';
export { ConfigModule } from './config.module';
export { ANY_ORIGIN } from './edge';
export { FAULT_POINTS, FaultPoints } from './fault-points';
export { isLoopback } from './listening';
export { loadConfig, loadProcessConfig, loadReaderConfig } from './load-config';
export type { SmtpConfig } from './mail-config';
export { parseRate, RATE_RULE } from './rate';
export { parseSize, SIZE_RULE } from './size';
