import { type Extraction, isCounterfoilError } from '@counterfoil/sdk';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button, Form } from 'react-aria-components';
import { useTexts } from '../../app/locale.tsx';
import { ErrorNotice, FieldProblem } from '../../parts/error-notice.tsx';
import { LeaveGuard } from '../../parts/leave-guard.tsx';
import { type Draft, type DraftField, fieldNamed, problemsOf, withUntouched } from './draft.ts';
import { AmountFields, DocumentFields, type FieldsProps, PurposeFields } from './expense-fields.tsx';
import { EXPENSE_FORM } from './form-texts.ts';
import { KnownDuplicates } from './known-duplicates.tsx';
import type { ReadField } from './places.ts';
import { VendorSection } from './vendor-section.tsx';

interface ExpenseFormProps {
  readonly initial: Draft;
  readonly reading?: Extraction | undefined;
  /** The expense that is edited. */
  readonly ownId?: number;
  readonly submitLabel: string;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onSubmit: (draft: Draft) => void;
  /** Called with the field of the receipt that has the focus. */
  readonly onActive?: (field: ReadField | null) => void;
  /** Whether something outside the fields has been changed, too. */
  readonly hasMore?: boolean;
  /** Before the fields. */
  readonly before?: ReactNode;
  /** Beside the button. */
  readonly actions?: (draft: Draft) => ReactNode;
}

/** The fields of an expense. Each error is at its field; the first one gets the focus. */
export function ExpenseForm(props: ExpenseFormProps) {
  const { initial, reading, ownId, submitLabel, isPending, error, onSubmit, onActive } = props;
  const { hasMore = false, before, actions } = props;
  const t = useTexts(EXPENSE_FORM);
  const [started, setStarted] = useState(initial);
  const [draft, setDraft] = useState(started);
  useEffect(() => {
    // A later attempt has read the receipt.
    setStarted(initial);
    setDraft((old) => withUntouched(old, started, initial));
  }, [reading]);
  const root = useRef<HTMLDivElement>(null);
  const problems = useProblems(draft, error);
  useEffect(() => {
    if (error) focusInvalid(root.current);
  }, [error]);
  const fields: FieldsProps = {
    ...{ draft, reading, errorOf: problems.of },
    set: (part) => setDraft((old) => ({ ...old, ...part })),
    onActive: (field) => () => onActive?.(field),
  };
  return (
    <div className="expense-form" ref={root}>
      {before}
      <VendorSection {...fields} />
      <Form
        validationBehavior="aria"
        onSubmit={(event) => {
          event.preventDefault();
          if (problems.check()) onSubmit(draft);
          else setTimeout(() => focusInvalid(root.current));
        }}
      >
        <DocumentFields {...fields} />
        <KnownDuplicates vendor={draft.vendor} documentNumber={draft.documentNumber} ownId={ownId} />
        <AmountFields {...fields} />
        <PurposeFields {...fields} />
        <LeaveGuard
          isChanged={() => !isPending && (hasMore || JSON.stringify(draft) !== JSON.stringify(started))}
        />
        {Boolean(error) && !problems.areShown && <ErrorNotice error={error} />}
        <div className="actions">
          <Button type="submit" className="button primary" isDisabled={isPending}>
            {isPending ? t('saving') : submitLabel}
          </Button>
          {actions?.(draft)}
        </div>
      </Form>
    </div>
  );
}

interface Problems {
  readonly of: (field: DraftField) => ReactNode;
  /** Whether every problem that the service named has a field in the form. */
  readonly areShown: boolean;
  /** Shows the problems from now on, and returns whether there are none. */
  readonly check: () => boolean;
}

/** The problems that the page finds, in the language of the page, and those that only the service finds. */
function useProblems(draft: Draft, error: unknown): Problems {
  const t = useTexts(EXPENSE_FORM);
  const [wasSent, setSent] = useState(false);
  const own = wasSent ? problemsOf(draft) : {};
  const refused = isCounterfoilError(error) ? error.fields : [];
  return {
    of: (field) => {
      const problem = own[field];
      if (problem) return t(problem);
      const found = refused.find((one) => fieldNamed(one.field) === field);
      return found && <FieldProblem>{found.problem}</FieldProblem>;
    },
    areShown: refused.length > 0 && refused.every(({ field }) => fieldNamed(field) !== null),
    check: () => {
      setSent(true);
      return Object.keys(problemsOf(draft)).length === 0;
    },
  };
}

function focusInvalid(root: HTMLElement | null): void {
  root?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
}
