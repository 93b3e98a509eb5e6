import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Button, FileTrigger } from 'react-aria-components';
import { useTexts } from '../../app/locale.tsx';
import { useAccount } from '../../app/session.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Section } from '../../parts/facts.tsx';
import { Loading } from '../../parts/loading.tsx';
import { useObjectUrl } from '../../parts/object-url.ts';
import { Progress } from '../../parts/progress.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { useUpload } from '../../parts/upload.ts';
import type { Company } from './company-fields.ts';
import { COMPANY } from './texts.ts';

const ACCEPTED = ['image/png', 'image/jpeg'];

/** The logo on documents. An owner changes and removes it. */
export function Logo({ logo }: { readonly logo: Company['logoFile'] }) {
  const t = useTexts(COMPANY);
  const { client, may } = useAccount();
  const { upload, percent } = useUpload();
  const queries = useQueryClient();
  const toasts = useToasts();
  const changing = useMutation({
    mutationFn: async (file: File | null) => {
      const logoFileId = file && (await upload(file)).fileId;
      await client.company.edit({ logoFileId });
    },
    onSuccess: (_, file) => {
      toasts.say(t(file === null ? 'logoRemoved' : 'logoSaved'));
      void queries.invalidateQueries({ queryKey: ['company'] });
    },
  });
  const actions = may('administer') && (
    <>
      <FileTrigger acceptedFileTypes={ACCEPTED} onSelect={(files) => files?.[0] && changing.mutate(files[0])}>
        <Button className="button small" isDisabled={changing.isPending}>
          {t('chooseLogo')}
        </Button>
      </FileTrigger>
      {logo !== null && (
        <Confirm
          label={t('remove')}
          name={t('removeLogo')}
          title={t('removeLogo')}
          onConfirm={() => changing.mutate(null)}
        >
          {t('removeLogoText')}
        </Confirm>
      )}
    </>
  );
  return (
    <Section title={t('logo')} actions={actions}>
      {changing.isPending && (
        <Progress label={t('savingLogo')} {...(percent !== undefined && { value: percent })} />
      )}
      {changing.error && (
        <ErrorNotice error={changing.error} retry={() => changing.mutate(changing.variables)} />
      )}
      {logo === null ? <p className="quiet-text">{t('noLogo')}</p> : <Picture fileId={logo.id} />}
    </Section>
  );
}

function Picture({ fileId }: { readonly fileId: number }) {
  const t = useTexts(COMPANY);
  const { client } = useAccount();
  const content = useQuery({
    queryKey: ['file', fileId],
    queryFn: () => client.files.content(fileId),
    staleTime: Infinity,
  });
  const url = useObjectUrl(content.data);
  if (content.error) return <ErrorNotice error={content.error} retry={() => void content.refetch()} />;
  return url === undefined ? <Loading /> : <img className="logo-picture" src={url} alt={t('logo')} />;
}
