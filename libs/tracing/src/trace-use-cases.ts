import type { INestApplicationContext, Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { inSpan, isTracing } from './spans';

type Execute = (...args: unknown[]) => unknown;

/**
 * Runs the use cases of all modules in spans with their names, if tracing is on: the providers with a method
 * `execute`. So a new use case is traced without a line of its own.
 *
 * @param except those whose time shows without a span
 */
export function traceUseCases(app: INestApplicationContext, except: readonly Type[] = []): void {
  if (!isTracing()) return;
  const providers = [...app.get(ModulesContainer).values()].flatMap((module) => [
    ...module.providers.values(),
  ]);
  for (const instance of new Set(providers.map((provider) => provider.instance)))
    if (isUseCase(instance) && !except.includes(instance.constructor as Type)) traceExecute(instance);
}

function isUseCase(instance: unknown): instance is { execute: Execute } {
  if (typeof instance !== 'object' || instance === null) return false;
  return typeof (instance as { readonly execute?: unknown }).execute === 'function';
}

function traceExecute(useCase: { execute: Execute }): void {
  const span = { name: useCase.constructor.name };
  const execute = useCase.execute.bind(useCase);
  useCase.execute = (...args) => inSpan(span, () => Promise.resolve(execute(...args)));
}
