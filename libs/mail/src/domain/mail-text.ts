import { type DocumentLanguage, inBothLanguages, markup } from '@counterfoil/kernel';
import type { MailPurpose } from './mail';

/** The words of a mail that the labels of documents do not have. */
interface MailWords {
  /** Between the document and its issuer, in a subject. */
  readonly from: string;
  /** The message where the caller gives none. */
  readonly attached: string;
  /** In front of the subject of a reminder. */
  readonly reminder: string;
  /** The message of a reminder. */
  readonly toBePaid: string;
  readonly leftToPay: string;
}

const ONE_LANGUAGE = {
  en: {
    from: 'from',
    attached: 'Hello,\n\nPlease find the document attached.',
    reminder: 'Payment reminder',
    toBePaid:
      'Hello,\n\nThis is a reminder of the attached document, of which the amount below is left to pay. If you have paid it meanwhile, please disregard this message.',
    leftToPay: 'Left to pay',
  },
  he: {
    from: 'מאת',
    attached: 'שלום,\n\nהמסמך מצורף.',
    reminder: 'תזכורת לתשלום',
    toBePaid:
      'שלום,\n\nזוהי תזכורת למסמך המצורף, שיתרתו לתשלום רשומה להלן. אם שולמה בינתיים, אפשר להתעלם מהודעה זו.',
    leftToPay: 'יתרה לתשלום',
  },
} as const satisfies Readonly<Record<string, MailWords>>;

const { he, en } = ONE_LANGUAGE;
const PARAGRAPHS = '\n\n';

export const MAIL_WORDS: Readonly<Record<DocumentLanguage, MailWords>> = {
  ...ONE_LANGUAGE,
  both: {
    ...inBothLanguages<MailWords>(he, en),
    attached: inBothLanguages<string>(he.attached, en.attached, PARAGRAPHS),
    toBePaid: inBothLanguages<string>(he.toBePaid, en.toBePaid, PARAGRAPHS),
  },
};

/** The facts that a mail states about its document, in one language. */
export interface MailFacts {
  readonly language: DocumentLanguage;
  /** Such as `Tax invoice no. 1042`. */
  readonly title: string;
  readonly purpose: MailPurpose;
  /** Labels and values, such as the total. */
  readonly details: readonly (readonly [string, string])[];
  readonly issuer: string;
  /** How to reach the issuer. */
  readonly contact: readonly string[];
}

export interface MailText {
  readonly subject: string;
  readonly text: string;
  /** The same as a page, in the direction of each paragraph. */
  readonly html: string;
}

/** Writes the texts of a mail, with the caller's own where there are any. */
export function mailText(
  { language, title, purpose, details, issuer, contact }: MailFacts,
  own: { readonly subject: string | null; readonly message: string | null },
): MailText {
  const { from, attached, reminder, toBePaid } = MAIL_WORDS[language];
  const isReminder = purpose === 'reminder';
  const facts = [title, ...details.map(([label, value]) => `${label}: ${value}`)];
  const parts = [
    own.message ?? (isReminder ? toBePaid : attached),
    facts.join('\n'),
    [issuer, ...contact].join('\n'),
  ];
  return {
    subject: own.subject ?? `${isReminder ? `${reminder}: ` : ''}${title} ${from} ${issuer}`,
    text: parts.join('\n\n'),
    html: pageOf(language, parts),
  };
}

function pageOf(language: DocumentLanguage, parts: readonly string[]): string {
  const paragraphs = parts.map((part) => {
    const lines = part.split(/\r\n|[\r\n]/);
    return markup`<p dir="auto">${lines.map((line, at) => (at === 0 ? line : markup`<br>\n${line}`))}</p>\n`;
  });
  return markup`<!DOCTYPE html>
<html lang="${language === 'en' ? 'en' : 'he'}" dir="${language === 'en' ? 'ltr' : 'rtl'}">
<head><meta charset="utf-8"></head>
<body>
${paragraphs}</body>
</html>
`.text;
}
