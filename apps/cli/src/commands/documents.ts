import type { Command } from 'commander';
import type { Context } from '../context';
import { registerDocumentsCreate } from './documents-create';
import { registerDocumentsEInvoice } from './documents-e-invoice';
import { registerDocumentsList } from './documents-list';
import { registerDocumentsPdf } from './documents-pdf';
import { registerDocumentsShare } from './documents-share';
import { registerDocumentsShow } from './documents-show';

export function registerDocumentsCommand(program: Command, context: Context): void {
  const documents = program.command('documents').description('list, show, issue, print and share documents');
  registerDocumentsCreate(documents, context);
  registerDocumentsList(documents, context);
  registerDocumentsPdf(documents, context);
  registerDocumentsEInvoice(documents, context, 'ubl');
  registerDocumentsEInvoice(documents, context, 'cii');
  registerDocumentsShare(documents, context);
  registerDocumentsShow(documents, context);
}
