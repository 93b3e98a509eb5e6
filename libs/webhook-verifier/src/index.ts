export { WebhookVerificationError, type WebhookVerificationReason } from './verification-error';
export { type DeliveryHeaders } from './signature-header';
export { verifyWebhook, type WebhookDelivery } from './verify-webhook';
export type * from './event-types';
export { type WebhookEvent } from './webhook-event';
