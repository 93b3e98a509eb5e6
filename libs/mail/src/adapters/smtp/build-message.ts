import MailComposer from 'nodemailer/lib/mail-composer';
import type { MailMessage } from '../../application/ports/mail-server';

/**
 * Writes a message as the bytes that a mail server gets. The library encodes the headers, so that no text of a caller is
 * a header of its own, and refuses to read files or URLs.
 *
 * @param from the address of the installation
 */
export function buildMessage(message: MailMessage, from: string): Promise<Buffer> {
  const { messageId, fromName, replyTo, to, cc, subject, text, html, date, attachments } = message;
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return new MailComposer({
    ...{
      from: { name: fromName, address: from },
      to: to.map(unnamed),
      cc: cc.map(unnamed),
      subject,
      text,
      html,
      date,
    },
    ...(replyTo === null ? {} : { replyTo: unnamed(replyTo) }),
    messageId: `<${messageId}@${domain}>`,
    ...(message.isAutomatic && { headers: { 'Auto-Submitted': 'auto-generated' } }),
    attachments: attachments.map(({ fileName, mediaType, content }) => ({
      ...{ filename: fileName, contentType: mediaType, content: Buffer.from(content) },
    })),
    ...{ disableFileAccess: true, disableUrlAccess: true },
  })
    .compile()
    .build();
}

/** An address as it is: nothing in it is a name or a list. */
const unnamed = (address: string) => ({ name: '', address });
