import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { Section } from '../../../parts/facts.tsx';
import { TextInput } from '../../../parts/fields.tsx';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { useToasts } from '../../../parts/toasts.tsx';
import { DOCUMENTS } from '../texts.ts';
import type { Document } from '../types.ts';
import { RECORD } from './texts.ts';

/** The number of the tax authority, for documents that have or need one. */
export function AllocationNumber({ document }: { readonly document: Document }) {
  const t = useTexts(RECORD);
  const d = useTexts(DOCUMENTS);
  const { may } = useAccount();
  const [isOpen, setOpen] = useState(false);
  const { taxAuthorityApprovalNumber: number, approvalNumberStatus: status } = document;
  if (number === null && status === null) return null;
  return (
    <Section title={d('allocationNumber')}>
      {number !== null ? (
        <bdi className="strong">{number}</bdi>
      ) : (
        <p>{t(status === 'REFUSED' ? 'allocationRefused' : 'allocationWaits')}</p>
      )}
      {number === null && may('write') && (
        <Button className="button small" onPress={() => setOpen(true)}>
          {t('setNumber')}
        </Button>
      )}
      {isOpen && <EnterNumber id={document.visibleId} onClose={() => setOpen(false)} />}
    </Section>
  );
}

interface EnterNumberProps {
  readonly id: string;
  readonly onClose: () => void;
}

function EnterNumber({ id, onClose }: EnterNumberProps) {
  const t = useTexts(RECORD);
  const d = useTexts(DOCUMENTS);
  const { client } = useAccount();
  const queries = useQueryClient();
  const toasts = useToasts();
  const [number, setNumber] = useState('');
  const body = { approvalNumber: number.trim() };
  const save = async () => {
    await client.documents.assignApprovalNumber(id, body);
    toasts.say(t('numberSaved'));
    void queries.invalidateQueries({ queryKey: ['documents'] });
  };
  return (
    <FormDialog
      title={t('setNumber')}
      label={t('save')}
      size="narrow"
      onClose={onClose}
      onSubmit={save}
      call={() => ({
        request: `POST /documents/approval-number/${id}`,
        sdk: 'documents.assignApprovalNumber',
        ids: [id],
        body,
      })}
      isDisabled={number.trim() === ''}
    >
      <TextInput
        label={d('allocationNumber')}
        kind="code"
        maxLength={64}
        value={number}
        onChange={setNumber}
      />
    </FormDialog>
  );
}
