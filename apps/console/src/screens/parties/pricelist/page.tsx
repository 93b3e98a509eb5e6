import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Button } from 'react-aria-components';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { ApiCall } from '../../../parts/api-call.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { LeaveGuard } from '../../../parts/leave-guard.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { EmptyState, PageFrame } from '../../../parts/page.tsx';
import { useParam } from '../../../parts/params.ts';
import type { Pick } from '../../../parts/pick.ts';
import { Picker } from '../../../parts/picker.tsx';
import { useToasts } from '../../../parts/toasts.tsx';
import { bodyOf, draftOf } from './bodies.ts';
import { type EntryDraft, newEntry, problemsOf } from './entries.ts';
import { Grid } from './grid.tsx';
import { Paste } from './paste.tsx';
import { Quote } from './quote.tsx';
import { PRICELIST } from './texts.ts';

const FOUND = 20;

interface Found extends Pick {
  readonly detail: string;
  readonly buyingPrice: number | null;
}

export function Page() {
  const t = useTexts(PRICELIST);
  const { client } = useAccount();
  const id = useParam('id');
  const vendor = useQuery({ queryKey: ['vendors', 'one', id], queryFn: () => client.vendors.get(id) });
  const list = useQuery({
    queryKey: ['vendors', 'pricelist', id],
    queryFn: async () => (await client.pricelists.get(id)).entries.map(draftOf),
  });
  const error = vendor.error ?? list.error;
  const actions = (
    <>
      <ApiCall
        request={`GET /vendors/id/${id}/pricelist`}
        sdk={`await counterfoil.pricelists.get(${JSON.stringify(id)});`}
      />
      <Link to="/vendors/$id" params={{ id }} className="button">
        {t('back')}
      </Link>
    </>
  );
  return (
    <PageFrame title={t('of', { name: vendor.data?.name ?? '…' })} text={t('text')} actions={actions}>
      {error && <ErrorNotice error={error} retry={() => void list.refetch()} />}
      {list.isPending && !error && <Loading />}
      {list.data && <Editor vendor={id} saved={list.data} />}
    </PageFrame>
  );
}

interface EditorProps {
  readonly vendor: string;
  readonly saved: readonly EntryDraft[];
}

function Editor({ vendor, saved }: EditorProps) {
  const t = useTexts(PRICELIST);
  const { number } = useFormats();
  const { client, may } = useAccount();
  const queries = useQueryClient();
  const toasts = useToasts();
  /** Null while nothing has been changed. */
  const [edited, setEdited] = useState<readonly EntryDraft[] | null>(null);
  const [isPasting, setPasting] = useState(false);
  const entries = edited ?? saved;
  const problems = useMemo(() => problemsOf(entries), [entries]);
  const wrong = problems.filter(({ length }) => length > 0).length;
  const body = { entries: edited && wrong === 0 ? edited.map(bodyOf) : [] };
  const saving = useMutation({
    mutationFn: (sent: readonly EntryDraft[]) =>
      client.pricelists.replace(vendor, { entries: sent.map(bodyOf) }),
    onSuccess: async ({ entries: count }, sent) => {
      toasts.say(t('saved', { count: number(count) }));
      await queries.invalidateQueries({ queryKey: ['vendors', 'pricelist', vendor] });
      // Changes that were made meanwhile stay to be saved.
      setEdited((now) => (now === sent ? null : now));
    },
  });
  const mayWrite = may('write');
  return (
    <div className="stack">
      <LeaveGuard isChanged={() => edited !== null && !(saving.isPending && edited === saving.variables)} />
      {mayWrite && (
        <div className="filters">
          <AddProduct onAdd={(entry) => setEdited([...entries, entry])} />
          <Button className="button" onPress={() => setPasting(true)}>
            {t('paste')}
          </Button>
        </div>
      )}
      {entries.length > 0 ? (
        <Grid entries={entries} problems={problems} onChange={mayWrite ? setEdited : null} />
      ) : (
        <EmptyState title={t('empty')}>
          <p>{mayWrite ? t('first') : t('firstViewer')}</p>
        </EmptyState>
      )}
      {saving.error && <ErrorNotice error={saving.error} />}
      {edited && (
        <SaveBar
          {...{ vendor, wrong, body }}
          count={edited.length}
          onUndo={() => setEdited(null)}
          isSaving={saving.isPending}
          onSave={() => saving.mutate(edited)}
        />
      )}
      {saved.length > 0 && <Quote vendor={vendor} entries={saved} />}
      {isPasting && (
        <Paste
          entries={entries}
          onClose={() => setPasting(false)}
          onApply={(next, count) => {
            setEdited(next);
            setPasting(false);
            toasts.say(t('pasted', { count: number(count) }));
          }}
        />
      )}
    </div>
  );
}

interface SaveBarProps {
  readonly vendor: string;
  /** Of the grid. */
  readonly count: number;
  /** How many of them have faults. */
  readonly wrong: number;
  readonly body: unknown;
  readonly isSaving: boolean;
  readonly onUndo: () => void;
  readonly onSave: () => void;
}

function SaveBar({ vendor, count, wrong, body, isSaving, onUndo, onSave }: SaveBarProps) {
  const t = useTexts(PRICELIST);
  const { number } = useFormats();
  return (
    <div className="actions bar">
      <span className="grow" aria-live="polite">
        {wrong > 0 ? (
          <span className="problem">{t('wrong', { count: number(wrong) })}</span>
        ) : (
          t('unsaved', { count: number(count) })
        )}
      </span>
      <Button className="button" onPress={onUndo} isDisabled={isSaving}>
        {t('undo')}
      </Button>
      {wrong === 0 && (
        <>
          <ApiCall
            request={`PUT /vendors/id/${vendor}/pricelist`}
            sdk={`await counterfoil.pricelists.replace(${JSON.stringify(vendor)}, { entries });`}
            body={body}
          />
          <Confirm isMain label={t('save')} title={t('question')} isDisabled={isSaving} onConfirm={onSave}>
            {t('consequence', { count: number(count) })}
          </Confirm>
        </>
      )}
    </div>
  );
}

function AddProduct({ onAdd }: { readonly onAdd: (entry: EntryDraft) => void }) {
  const t = useTexts(PRICELIST);
  const { client } = useAccount();
  const [added, setAdded] = useState(0);
  return (
    <Picker<Found>
      key={added}
      label={t('add')}
      kind="products"
      chosen={null}
      onChoose={(product) => {
        if (!product) return;
        onAdd(newEntry({ ...product, sku: product.detail }));
        setAdded(added + 1);
      }}
      find={async (text) =>
        (
          await client.products.list({ isActive: true, limit: FOUND, ...(text !== '' && { search: text }) })
        ).data.map(({ id, name, sku, buyingPrice }) => ({ id, name, detail: sku, buyingPrice }))
      }
    />
  );
}
