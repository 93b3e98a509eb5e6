import { messages } from '../../app/messages.ts';

export const MAILS_TITLE = messages({ en: { title: 'Sent mails' }, he: { title: 'הודעות שנשלחו' } });
