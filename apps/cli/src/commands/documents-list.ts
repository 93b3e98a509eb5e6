import type {
  AllocationNumberStatus,
  DocumentRowBody,
  DocumentStatus,
  DocumentType,
  QueryOf,
} from '@counterfoil/sdk';
import type { Command } from 'commander';
import type { Context } from '../context';
import { examples } from '../help';
import { choice, count } from '../options';
import { firstRows, given, ROWS_DEFAULT } from '../rows';
import type { Column } from '../table';
import { ALLOCATION_NUMBER_STATUSES, DOCUMENT_STATUSES, DOCUMENT_TYPES } from '../values';

interface ListOptions {
  readonly type?: DocumentType;
  readonly status?: DocumentStatus;
  readonly client?: number;
  readonly from?: string;
  readonly to?: string;
  readonly overdueOn?: string;
  readonly allocation?: AllocationNumberStatus;
  readonly search?: string;
  readonly limit: number;
}

type Query = Omit<QueryOf<'GET /documents'>, 'cursor' | 'updatedSince'>;

const COLUMNS: readonly Column<DocumentRowBody>[] = [
  { title: 'ID', value: ({ visibleId }) => visibleId },
  { title: 'TYPE', value: ({ type }) => type },
  { title: 'NUMBER', value: ({ number }) => number },
  { title: 'DATE', value: ({ issueDate }) => issueDate },
  { title: 'STATUS', value: ({ status }) => status },
  { title: 'TOTAL', value: ({ totalWithTax }) => totalWithTax },
  { title: 'CURRENCY', value: ({ currency }) => currency },
  { title: 'CLIENT', value: ({ entityId }) => entityId },
];

export function registerDocumentsList(documents: Command, context: Context): void {
  documents
    .command('list')
    .description('list documents, the newest first')
    .addOption(choice('--type <type>', 'only this type', DOCUMENT_TYPES))
    .addOption(choice('--status <status>', 'only this status', DOCUMENT_STATUSES))
    .option('--client <id>', 'only those of this client', count)
    .option('--from <date>', 'only those issued on this day or later, such as 2026-11-01')
    .option('--to <date>', 'only those issued on this day or earlier')
    .option('--overdue-on <date>', 'only open ones that were due before this day')
    .addOption(
      choice('--allocation <status>', 'only those without an allocation number', ALLOCATION_NUMBER_STATUSES),
    )
    .option('--search <text>', 'only those that contain this text')
    .option('--limit <number>', 'as many at most', count, ROWS_DEFAULT)
    .addHelpText(
      'after',
      examples(
        'counterfoil documents list --status OPEN --type tax-invoice',
        'counterfoil documents list --overdue-on 2026-11-27',
        'counterfoil documents list --from 2026-01-01 --limit 100000 --json > documents.jsonl',
      ),
    )
    .action(async (options: ListOptions) => {
      const { client: entityId, from, to, allocation, limit, ...filters } = options;
      const { documents: resource } = await context.client();
      const query = given({
        ...{ type: filters.type, status: filters.status, entityId, startDate: from, endDate: to },
        ...{ approvalNumberStatus: allocation, overdueOn: filters.overdueOn, search: filters.search },
      }) as Query;
      const { signal, output } = context;
      await output.list(firstRows(resource.list(query, { signal }), limit), COLUMNS);
    });
}
