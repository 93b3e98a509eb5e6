import type { SessionToken } from '@counterfoil/identity';
import { AppError } from '@counterfoil/kernel';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { idIn } from './path-id';

/**
 * Names the session that a request means. A script of another origin cannot send it, so a cookie alone opens nothing: the
 * header is the defence against forged requests (contract §4.9).
 */
export const SESSION_HEADER = 'counterfoil-session';

const TOKEN = /^[\w-]{43}$/;
const CHANGES_NOTHING = ['GET', 'HEAD'];

/** A browser sends a cookie with this prefix only over HTTPS, and no other host can set it. */
const prefixFor = (publicUrl: string): string => (isSecure(publicUrl) ? '__Host-' : '');
const isSecure = (publicUrl: string): boolean => publicUrl.startsWith('https:');

/** Each session has its own cookie, so that one browser can be signed in to several companies. */
const cookieName = (publicUrl: string, sessionId: number): string =>
  `${prefixFor(publicUrl)}counterfoil-session-${sessionId}`;

/** Whether the request names a session. One that sends a key, too, uses the key. */
export function namesSession({ headers }: FastifyRequest): boolean {
  return headers[SESSION_HEADER] !== undefined && headers.authorization === undefined;
}

/**
 * Returns the session that the request names, with its token.
 *
 * @throws AppError `FORBIDDEN` unless the request comes from a page of this service; `UNAUTHENTICATED` without the cookie
 */
export function sessionOf(request: FastifyRequest, publicUrl: string): SessionToken {
  assertSameOrigin(request, publicUrl);
  const { headers, method } = request;
  // Browsers name the origin with every change. They leave it out where nothing is changed.
  const isTold = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
  if (!isTold && !CHANGES_NOTHING.includes(method)) throw notOurPage();
  const sessionId = idIn(String(headers[SESSION_HEADER]));
  const token =
    sessionId === null ? undefined : parseCookie(headers.cookie ?? '')[cookieName(publicUrl, sessionId)];
  if (sessionId === null || token === undefined || !TOKEN.test(token))
    throw new AppError('UNAUTHENTICATED', 'the session has ended: sign in again');
  return { sessionId, token };
}

/**
 * Cookies do not tell ports and subdomains apart, so pages of neighbours could use them.
 *
 * @throws AppError `FORBIDDEN` if the request comes from another page; programs name no page
 */
export function assertSameOrigin(request: FastifyRequest, publicUrl: string): void {
  const { headers, protocol, host } = request;
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  const isOurOrigin =
    origin === undefined || origin === new URL(publicUrl).origin || origin === `${protocol}://${host}`;
  if (!isOurOrigin || (site !== undefined && site !== 'same-origin')) throw notOurPage();
}

function notOurPage(): AppError {
  return new AppError('FORBIDDEN', 'only pages of this service may use a session; use an API key');
}

/** Gives the browser a session. Its scripts cannot read it, and no page of another site makes the browser send it. */
export function setSessionCookie(
  reply: FastifyReply,
  publicUrl: string,
  session: { readonly id: number; readonly token: string; readonly expiresAt: Date },
): void {
  const { id, token, expiresAt } = session;
  setCookie(reply, publicUrl, { name: cookieName(publicUrl, id), value: token, expires: expiresAt });
}

/** Makes the browser forget a session. */
export function clearSessionCookie(reply: FastifyReply, publicUrl: string, sessionId: number): void {
  setCookie(reply, publicUrl, { name: cookieName(publicUrl, sessionId), value: '', expires: new Date(0) });
}

function setCookie(
  reply: FastifyReply,
  publicUrl: string,
  cookie: { readonly name: string; readonly value: string; readonly expires: Date },
): void {
  const secure = isSecure(publicUrl);
  void reply.header(
    'set-cookie',
    stringifySetCookie({ ...cookie, path: '/', httpOnly: true, sameSite: 'strict', secure }),
  );
}
