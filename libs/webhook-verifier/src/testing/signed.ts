import { createHmac } from 'node:crypto';

/** The current time in Unix seconds, as in signatures. */
export const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** Computes the hex digest of contract §15.8 independently of the code under test. */
export function digestOf(secret: string, timestamp: number | string, body: string | Uint8Array): string {
  const signed = Buffer.concat([Buffer.from(`${timestamp}.`), Buffer.from(body)]);
  return createHmac('sha256', secret).update(signed).digest('hex');
}

/** The value of `Service-Signature`. */
export function signed(secret: string, timestamp: number, body: string | Uint8Array): string {
  return `t=${timestamp},v1=${digestOf(secret, timestamp, body)}`;
}
