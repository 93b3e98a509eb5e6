import { Link } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { useFormats, useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { FileDrop } from '../../../parts/drop-zone.tsx';
import { useGoOn } from '../../../parts/is-here.ts';
import { Progress } from '../../../parts/progress.tsx';
import { endWaiting, useWaitingReceipts } from '../waiting.ts';
import { NEW_EXPENSE } from './texts.ts';
import { READABLE, useUploads } from './uploads.ts';

/** Takes receipts, and lists those that wait to be checked. */
export function Begin() {
  const t = useTexts(NEW_EXPENSE);
  const { number } = useFormats();
  const goOn = useGoOn();
  const { step, start } = useUploads();
  return (
    <>
      {step ? (
        <div className="card uploading">
          <Progress
            {...(step.percent !== undefined && { value: step.percent })}
            label={
              step.total > 1
                ? t('uploadingOf', {
                    name: isolated(step.name),
                    done: number(step.number),
                    total: number(step.total),
                  })
                : t('uploading', { name: isolated(step.name) })
            }
          />
          <p className="quiet-text">{t('uploadLeave')}</p>
          <Button className="button" onPress={step.stop}>
            {t('stop')}
          </Button>
        </div>
      ) : (
        <FileDrop
          label={t('drop')}
          text={t('formats')}
          chooseLabel={t('choose')}
          photographLabel={t('photograph')}
          accept={READABLE}
          isMultiple
          onFiles={(files) =>
            start(files, ([first]) => {
              if (first) void goOn({ to: '/expenses/new', search: { fileId: first.fileId } });
            })
          }
        >
          <Link to="/expenses/new" search={{ by: 'hand' }} className="button quiet">
            {t('byHand')}
          </Link>
        </FileDrop>
      )}
      <Waiting />
    </>
  );
}

/** Isolates a name whose direction differs from that of the sentence. */
const isolated = (name: string): string => `\u2068${name.slice(0, 100)}\u2069`;

function Waiting() {
  const t = useTexts(NEW_EXPENSE);
  const { signedIn } = useAccount();
  const receipts = useWaitingReceipts(signedIn.companyId);
  if (receipts.length === 0) return null;
  return (
    <section className="waiting">
      <h2>{t('waiting')}</h2>
      <p className="quiet-text">{t('waitingText')}</p>
      <ul>
        {receipts.map(({ fileId, name }) => (
          <li key={fileId}>
            <Link to="/expenses/new" search={{ fileId }}>
              <bdi className="cut">{name}</bdi>
            </Link>
            <Button
              className="button quiet small"
              aria-label={t('forgetNamed', { name })}
              onPress={() => endWaiting(signedIn.companyId, fileId)}
            >
              {t('forget')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
