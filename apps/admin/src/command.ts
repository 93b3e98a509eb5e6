import type { Config } from '@counterfoil/config';
import { IdentityReader, noSuchCompany } from '@counterfoil/identity';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { AdminModule } from './admin.module';

/** The options of a call, as they were written: `--name Acme` is `{ name: 'Acme' }`. */
export type Options = Readonly<Record<string, string | boolean | undefined>>;

/** One command of the admin tool. */
export interface Command {
  readonly name: string;
  /** The usage line of the help. */
  readonly usage: string;
  /**
   * @param print puts a line of JSON on standard output at once
   * @returns what to print in the end; nothing when undefined
   */
  run(config: Config, options: Options, print: (answer: object) => void): Promise<object | undefined>;
}

/** The command was called wrongly. The message says how to call it. */
export class UsageError extends Error {}

/** The message for the operator, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function requiredText(options: Options, name: string, usage: string): string {
  const value = options[name];
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new UsageError(`--${name} is required: ${usage}`);
}

export function requiredId(options: Options, name: string, usage: string): number {
  const value = requiredText(options, name, usage);
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new UsageError(`--${name} must be a number: ${usage}`);
}

/** @throws AppError `NOT_FOUND` if there is no such company */
export async function assertCompany(app: INestApplicationContext, companyId: number): Promise<void> {
  if (!(await app.get(IdentityReader).company(companyId))) throw noSuchCompany(companyId);
}

/** Runs `work` with the use cases, and closes their resources. */
export async function withApp<T>(
  config: Config,
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const options = { logger: false, abortOnError: false } as const;
  const app = await NestFactory.createApplicationContext(AdminModule.register(config), options);
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
