export { Config, ConfigError, LOG_LEVELS, type AllowedNetwork, type LogLevel } from './config';
export { ConfigModule } from './config.module';
export { loadConfig, loadProcessConfig, type Environment } from './load-config';
