import type { AnswerOf } from '@counterfoil/sdk';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { DOCUMENT_NAMES } from '../../../parts/document-messages.ts';
import { type PlainColumn, PlainTable } from '../../../parts/plain-table.tsx';
import { STATEMENT } from './texts.ts';

type Statement = AnswerOf<'GET /clients/id/{visibleId}/statement'>;
type Line = Statement['lines'][number];

export function Lines({ of: { lines, currency } }: { readonly of: Statement }) {
  const t = useTexts(STATEMENT);
  const d = useTexts(DOCUMENT_NAMES);
  const { date, money } = useFormats();
  const nameOf = ({ entry, type, number, debit }: Line) => {
    const document = d('number', { type: d(type), number });
    if (entry === 'DOCUMENT') return document;
    return t(type === 'TAX_INVOICE' && debit > 0 ? 'closingTakenBack' : 'closing', { document });
  };
  const sum = (value: number) => (value === 0 ? '' : money(value, currency));
  const columns: readonly PlainColumn<Line>[] = [
    { id: 'date', title: t('date'), cell: (line) => date(line.date) },
    {
      ...{ id: 'document', title: t('document') },
      cell: (line) => (
        <Link to="/documents/$id" params={{ id: line.visibleId }}>
          {nameOf(line)}
        </Link>
      ),
    },
    { id: 'dueDate', title: t('dueDate'), cell: ({ dueDate }) => dueDate !== null && date(dueDate) },
    { id: 'debit', title: t('debit'), cell: ({ debit }) => sum(debit), isNumber: true },
    { id: 'credit', title: t('credit'), cell: ({ credit }) => sum(credit), isNumber: true },
    {
      ...{ id: 'balance', title: t('balance'), isNumber: true },
      cell: ({ balance }) => money(balance, currency),
    },
  ];
  return (
    <PlainTable
      label={t('lines')}
      columns={columns}
      rows={lines}
      idOf={({ entry, documentId, date: day, balance }) => `${entry}-${documentId}-${day}-${balance}`}
    />
  );
}
