export { WebhookVerificationError, type WebhookVerificationReason } from './verification-error';
export { type DeliveryHeaders } from './signature-header';
export { verifyWebhook, type WebhookDelivery } from './verify-webhook';
export type {
  AllocationSnapshot,
  DocumentSnapshot,
  WebhookEvent,
  WebhookEventData,
  WebhookEventType,
} from './webhook-event';
