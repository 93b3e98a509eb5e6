import type { Command } from 'commander';
import type { Context } from '../context';
import { registerVendorsImport } from './vendors-import';

export function registerVendorsCommand(program: Command, context: Context): void {
  const vendors = program.command('vendors').description('import vendors');
  registerVendorsImport(vendors, context);
}
