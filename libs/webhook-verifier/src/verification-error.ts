/** The reason of a refusal. The first two are mistakes of the receiver; the others are faults of the delivery. */
export type WebhookVerificationReason =
  | 'missing_secret'
  | 'body_not_raw'
  | 'missing_signature'
  | 'malformed_signature'
  | 'wrong_signature'
  | 'timestamp_out_of_tolerance'
  | 'malformed_body';

/** The only error that `verifyWebhook` throws. Its message says what to do about it, and holds no secret. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(
    readonly reason: WebhookVerificationReason,
    message: string,
  ) {
    super(message);
  }
}
