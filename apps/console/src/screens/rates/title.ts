import { messages } from '../../app/messages.ts';

export const RATES_TITLE = messages({ en: { title: 'Exchange rates' }, he: { title: 'שערי חליפין' } });
