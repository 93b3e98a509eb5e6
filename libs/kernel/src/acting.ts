import { ContextVariable } from './context-variable';
import type { Role } from './caller';

/**
 * The author of a change: an API key, a session of one, a job or task of the worker, an admin command, or a caller without
 * a key.
 */
export type ActorName =
  | `api-key:${number}`
  | `api-key:${number}/session:${number}`
  | `system:${string}`
  | `command:${string}`
  | 'public';

/** On whose behalf the current work is done, for the audit log. */
export interface Acting {
  readonly actor: ActorName;
  /** Of the API key. */
  readonly role?: Role;
  readonly requestId?: string;
}

const scope = new ContextVariable<Acting>();

/** Runs `work`, and everything it calls, on behalf of this actor. */
export function actingAs<T>(acting: Acting, work: () => T): T {
  return scope.run(acting, work);
}

/** Undefined at the start of a process and in tests. */
export function currentActing(): Acting | undefined {
  return scope.get();
}

/** Names a job, a task or a command as an actor: without blanks, which separate the parts of the setting. */
export function actorNamed<Kind extends 'system' | 'command'>(kind: Kind, name: string): `${Kind}:${string}` {
  return `${kind}:${name.replaceAll(' ', '-')}`;
}
