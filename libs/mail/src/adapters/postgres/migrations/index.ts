import { DocumentMails1795790600000 } from './1795790600000-document-mails';

export const MAIL_MIGRATIONS = [DocumentMails1795790600000];
