/**
 * The reason for a refusal. The first two are mistakes of the receiver's code. The others are faults of the
 * delivery.
 */
export type WebhookVerificationReason =
  | 'missing_secret'
  | 'body_not_raw'
  | 'missing_signature'
  | 'malformed_signature'
  | 'wrong_signature'
  | 'timestamp_out_of_tolerance'
  | 'malformed_body';

/**
 * The only error that `verifyWebhook` throws. Its message says how to fix the problem, and contains no
 * secret.
 */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(
    readonly reason: WebhookVerificationReason,
    message: string,
  ) {
    super(message);
  }
}
