import { createHmac } from 'node:crypto';

/** The time now, as signatures have it. */
export const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** The hex digest of contract §15.8, calculated apart from the code under test. */
export function digestOf(secret: string, timestamp: number | string, body: string | Uint8Array): string {
  const signed = Buffer.concat([Buffer.from(`${timestamp}.`), Buffer.from(body)]);
  return createHmac('sha256', secret).update(signed).digest('hex');
}

/** The value of `Service-Signature`. */
export function signed(secret: string, timestamp: number, body: string | Uint8Array): string {
  return `t=${timestamp},v1=${digestOf(secret, timestamp, body)}`;
}
