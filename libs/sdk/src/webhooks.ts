// An entry of its own, because the verifier needs node:crypto, which browsers do not have.
export {
  type DeliveryHeaders,
  verifyWebhook,
  verifyWebhook as verify,
  WebhookVerificationError,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookEventData,
  type WebhookEventType,
  type WebhookVerificationReason,
} from '@counterfoil/webhook-verifier';
