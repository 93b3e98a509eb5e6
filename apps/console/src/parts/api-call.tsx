import { Button, Dialog, DialogTrigger, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { SERVICE_URL } from '../app/addresses.ts';
import { useTexts } from '../app/locale.tsx';
import { SHELL } from '../app/shell-messages.ts';
import { CodeSample } from './code-sample.tsx';

interface ApiCallProps {
  /** `GET /api-keys?limit=50`. */
  readonly request: string;
  /** As TypeScript, on a client named `counterfoil`: `await counterfoil.apiKeys.list()`. */
  readonly sdk: string;
  readonly body?: unknown;
}

/** Shows how a program does what the screen does. The key is named, never shown: the browser does not have it. */
export function ApiCall({ request, sdk, body }: ApiCallProps) {
  const t = useTexts(SHELL);
  return (
    <DialogTrigger>
      <Button className="button quiet">{t('asCall')}</Button>
      <ModalOverlay className="overlay" isDismissable>
        <Modal className="modal">
          <Dialog className="dialog">
            {({ close }) => (
              <>
                <Heading slot="title">{t('asCall')}</Heading>
                <CodeSample title="curl" text={curlOf(request, body)} />
                <CodeSample title="SDK" text={sdk} />
                <div className="actions end">
                  <Button className="button" onPress={close}>
                    {t('close')}
                  </Button>
                </div>
              </>
            )}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  );
}

function curlOf(request: string, body: unknown): string {
  const [method = 'GET', path = '/'] = request.split(' ');
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  const lines = [`curl${verb} '${SERVICE_URL}${path}'`, `-H "Authorization: Bearer $COUNTERFOIL_API_KEY"`];
  if (body !== undefined) {
    const json = JSON.stringify(body).replaceAll("'", String.raw`'\''`);
    lines.push("-H 'Content-Type: application/json'", `-d '${json}'`);
  }
  return lines.join(' \\\n  ');
}
