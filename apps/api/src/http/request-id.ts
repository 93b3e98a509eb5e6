import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { holdsCardNumber } from '@counterfoil/kernel';

const SANE = /^[\w.:-]{1,128}$/;

/** The caller's own request id where it is sane, and may stand in a log, else a new one (decisions §1). */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  const taken = typeof given === 'string' && SANE.test(given) && !holdsCardNumber(given);
  return taken ? given : randomUUID();
}
