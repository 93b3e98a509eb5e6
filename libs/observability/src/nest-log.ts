import type { LoggerService } from '@nestjs/common';
import type { Log } from './log';

/** Passes the messages of NestJS to our log. Its start-up messages become debug messages. */
export class NestLog implements LoggerService {
  constructor(private readonly target: Log) {}

  log(message: unknown, context?: string): void {
    this.target.debug({ context }, String(message));
  }

  debug(message: unknown, context?: string): void {
    this.target.debug({ context }, String(message));
  }

  verbose(message: unknown, context?: string): void {
    this.target.debug({ context }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.target.warn({ context }, String(message));
  }

  error(message: unknown, stack?: string, context?: string): void {
    this.target.error({ context, stack }, String(message));
  }

  fatal(message: unknown, context?: string): void {
    this.target.fatal({ context }, String(message));
  }
}
