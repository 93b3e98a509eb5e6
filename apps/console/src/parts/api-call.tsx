import { Button, Dialog, DialogTrigger, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { SERVICE_URL } from '../app/addresses.ts';
import { useTexts } from '../app/locale.tsx';
import { SHELL } from '../app/shell-messages.ts';
import { CodeSample } from './code-sample.tsx';
import { type FormCall, sdkOf } from './form-call.ts';

interface ApiCallProps {
  /** `GET /api-keys?limit=50`. */
  readonly request: string;
  /** As TypeScript, on a client named `counterfoil`: `await counterfoil.apiKeys.list()`. */
  readonly sdk: string;
  readonly body?: unknown;
}

/** Shows how a program does what the screen does. The key is named, never shown: the browser does not have it. */
export function ApiCall({ request, sdk, body }: ApiCallProps) {
  return <Samples curl={() => curlOf(request, body)} sdk={() => sdk} />;
}

/** Shows how a program does what a form does, with what the form has when it is asked. */
export function FormApiCall({ call }: { readonly call: () => FormCall }) {
  const curl = () => {
    const { first, request, body } = call();
    const main = curlOf(request, body);
    return first ? `${curlOf(first.request, first.body)}\n\n${main}` : main;
  };
  return <Samples curl={curl} sdk={() => sdkOf(call())} />;
}

interface SamplesProps {
  readonly curl: () => string;
  readonly sdk: () => string;
}

function Samples({ curl, sdk }: SamplesProps) {
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
                <CodeSample title="curl" text={curl()} />
                <CodeSample title="SDK" text={sdk()} />
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
