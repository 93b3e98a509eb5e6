/** The parts of a delivery from which its request is written. */
export interface SentEvent {
  readonly url: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly body: string;
}

/**
 * Returns the headers of an attempt, in the order in which they are sent. A placeholder stands for each signature,
 * because the browser does not have the secret.
 *
 * @param at the beginning of the attempt, ISO 8601; null if there was none
 */
export function headersOf({ eventId, eventType }: SentEvent, at: string | null): string {
  const seconds = at === null ? '…' : String(Math.floor(Date.parse(at) / 1000));
  return [
    'Content-Type: application/json',
    'User-Agent: Counterfoil-Webhooks/1',
    `Service-Signature: t=${seconds},v1=…`,
    `Service-Event-Id: ${eventId}`,
    `Service-Event-Type: ${eventType}`,
    `webhook-id: ${eventId}`,
    `webhook-timestamp: ${seconds}`,
    'webhook-signature: v1,…',
  ].join('\n');
}

/** Returns commands of a POSIX shell that sign and send the exact body. They need `openssl` and `$WEBHOOK_SECRET`. */
export function curlOf({ url, eventId, eventType, body }: SentEvent): string {
  return [
    `id=${quoted(eventId)}`,
    `body=${quoted(body)}`,
    't=$(date +%s)',
    `v1=$(printf '%s' "$t.$body" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" | sed 's/^.* //')`,
    `key=$(printf '%s' "\${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')`,
    `standard=$(printf '%s' "$id.$t.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)`,
    `curl -i ${quoted(url)} \\`,
    `  -H 'Content-Type: application/json' -H 'User-Agent: Counterfoil-Webhooks/1' \\`,
    `  -H "Service-Signature: t=$t,v1=$v1" -H "Service-Event-Id: $id" -H ${quoted(`Service-Event-Type: ${eventType}`)} \\`,
    `  -H "webhook-id: $id" -H "webhook-timestamp: $t" -H "webhook-signature: v1,$standard" \\`,
    `  --data-binary "$body"`,
  ].join('\n');
}

/** Quotes a text for a POSIX shell, which then changes nothing in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Indents JSON for reading; any other text is left as it is. */
export function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
