import type { Command } from 'commander';
import type { Context } from '../context';
import { registerDeliveriesList } from './deliveries-list';
import { registerDeliveriesReplay } from './deliveries-replay';
import { registerDeliveriesShow } from './deliveries-show';

export function registerDeliveriesCommand(program: Command, context: Context): void {
  const deliveries = program
    .command('deliveries')
    .description('list, show and repeat deliveries of webhooks');
  registerDeliveriesList(deliveries, context);
  registerDeliveriesShow(deliveries, context);
  registerDeliveriesReplay(deliveries, context);
}
