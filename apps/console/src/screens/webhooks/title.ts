import { messages } from '../../app/messages.ts';

export const WEBHOOKS_TITLE = messages({ en: { title: 'Webhooks' }, he: { title: 'Webhooks' } });
export const ENDPOINT_TITLE = messages({ en: { title: 'Webhook endpoint' }, he: { title: 'נקודת קצה' } });
export const DELIVERY_TITLE = messages({ en: { title: 'Delivery' }, he: { title: 'משלוח' } });
export const EVENTS_TITLE = messages({ en: { title: 'Event catalogue' }, he: { title: 'קטלוג האירועים' } });
