import type { Command } from 'commander';
import type { Context } from '../context';
import { registerDocumentsCreate } from './documents-create';
import { registerDocumentsList } from './documents-list';
import { registerDocumentsShow } from './documents-show';

export function registerDocumentsCommand(program: Command, context: Context): void {
  const documents = program.command('documents').description('list, show and issue documents');
  registerDocumentsCreate(documents, context);
  registerDocumentsList(documents, context);
  registerDocumentsShow(documents, context);
}
