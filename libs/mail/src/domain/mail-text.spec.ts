import { type MailFacts, mailText } from './mail-text';

const FACTS: MailFacts = {
  language: 'en',
  title: 'Tax invoice no. 7',
  purpose: 'document',
  details: [['Total', '118.00 ILS']],
  issuer: 'Acme',
  contact: ['03-5555555'],
};

it('writes what the caller leaves out', () => {
  expect(mailText(FACTS, { subject: null, message: null })).toMatchObject({
    subject: 'Tax invoice no. 7 from Acme',
    text: 'Hello,\n\nPlease find the document attached.\n\nTax invoice no. 7\nTotal: 118.00 ILS\n\nAcme\n03-5555555',
  });
});

it('reminds of what is left to pay', () => {
  const none = { subject: null, message: null };
  const { subject, text } = mailText({ ...FACTS, purpose: 'reminder' }, none);
  expect(subject).toBe('Payment reminder: Tax invoice no. 7 from Acme');
  expect(text).toMatch(/^Hello,\n\nThis is a reminder of the attached document/);
  expect(mailText({ ...FACTS, language: 'he', purpose: 'reminder' }, none).subject).toMatch(
    /^תזכורת לתשלום: /,
  );
});

it('uses the texts of the caller, in any language', () => {
  const own = { subject: 'החשבונית שלך', message: 'שלום דנה' };
  expect(mailText({ ...FACTS, language: 'he', title: 'חשבונית מס 7' }, own)).toMatchObject({
    subject: 'החשבונית שלך',
    text: 'שלום דנה\n\nחשבונית מס 7\nTotal: 118.00 ILS\n\nAcme\n03-5555555',
  });
});

it('writes the same as a page, in which nothing of a text is markup', () => {
  const own = { subject: null, message: 'שלום <b>דנה</b>\nתודה' };
  const { html } = mailText({ ...FACTS, language: 'he', issuer: '<img src=x>' }, own);
  expect(html).toContain('<html lang="he" dir="rtl">');
  expect(html).toContain('<p dir="auto">שלום &lt;b&gt;דנה&lt;/b&gt;<br>\nתודה</p>');
  expect(html).toContain('&lt;img src=x&gt;<br>\n03-5555555');
  expect(html).not.toMatch(/<img|<b>/);
});

it('writes its own sentences in both languages, one after the other', () => {
  const none = { subject: null, message: null };
  const { subject, text, html } = mailText(
    { ...FACTS, language: 'both', title: 'חשבונית מס / Tax invoice 7' },
    none,
  );
  expect(subject).toBe('חשבונית מס / Tax invoice 7 מאת / from Acme');
  expect(text).toMatch(/^שלום,\n\nהמסמך מצורף\.\n\nHello,\n\nPlease find the document attached\.\n\nחשבונית/);
  expect(html).toContain('<html lang="he" dir="rtl">');
});
