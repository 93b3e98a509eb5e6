import type { Json } from './map-schemas';

const POLICY = 'The limits that count the request, with their requests (q) in a window of seconds (w)';
const STATE =
  'Requests left (r), and the seconds to the end of the window (t), of each limit that was counted';
const REQUEST_ID =
  'The id of the request, in every log line of it: the one that was sent in this header, or else a new one';

const IGNORED =
  'Only there if the request has parameters of the query or fields of the body that the route does not know. They were ignored; with Prefer: handling=strict, the request is refused.';

const PREFERENCE =
  'handling=strict, if the request asked for that in `Prefer`: then it is refused if it has fields that the route does not know';

function headerOf(type: 'integer' | 'string', description: string, example: unknown): Json {
  return { description, schema: { type }, example };
}

/** The headers of responses, as components. */
export const RESPONSE_HEADERS: Readonly<Record<string, Json>> = {
  'X-Request-Id': headerOf('string', REQUEST_ID, 'd74caccf-2dc0-465b-9162-3cd4f18e601a'),
  'WWW-Authenticate': headerOf('string', 'The scheme of the key', 'Bearer'),
  'Retry-After': headerOf('integer', 'Seconds until another request makes sense', 17),
  'RateLimit-Policy': headerOf('string', POLICY, '"key";q=600;w=60, "company";q=3000;w=60'),
  RateLimit: headerOf('string', STATE, '"key";r=0;t=17'),
  'Ignored-Fields': headerOf('string', IGNORED, 'sort, items[0].qty'),
  'Preference-Applied': headerOf('string', PREFERENCE, 'handling=strict'),
};
