export { DeliverWebhook } from './application/deliver-webhook';
export { FanOutEvents } from './application/fan-out-events';
export { EndpointReader } from './application/ports/endpoint.reader';
export { RegisterEndpoint, type RegisteredEndpoint } from './application/register-endpoint';
export { RemoveEndpoint } from './application/remove-endpoint';
export { SweepDeliveries } from './application/sweep-deliveries';
export { URL_LENGTH_MAX, type WebhookEndpoint } from './domain/endpoint';
export { WebhooksModule } from './webhooks.module';
