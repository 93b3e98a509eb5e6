import type { ReactNode } from 'react';
import { Button, DropZone, FileTrigger, Text } from 'react-aria-components';

interface FileDropProps {
  /** Says what may be dropped. */
  readonly label: string;
  readonly text?: string;
  readonly chooseLabel: string;
  /** Offers the camera of a phone; left out, there is no such button. */
  readonly photographLabel?: string;
  /** Extensions and types, as `accept` of an input takes them. */
  readonly accept: readonly string[];
  readonly isMultiple?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children?: ReactNode;
}

/** Takes files that are dropped, pasted, chosen or photographed. */
export function FileDrop(props: FileDropProps) {
  const { label, text, chooseLabel, photographLabel, accept, isMultiple = false, onFiles, children } = props;
  const take = (files: readonly File[]) => {
    if (files.length > 0) onFiles(isMultiple ? files : files.slice(0, 1));
  };
  return (
    <DropZone
      className="drop-zone"
      getDropOperation={() => 'copy'}
      onDrop={({ items }) => {
        const dropped = items.flatMap((item) => (item.kind === 'file' ? [item.getFile()] : []));
        void Promise.all(dropped).then(take);
      }}
    >
      <Text slot="label" className="strong">
        {label}
      </Text>
      {text !== undefined && <p className="quiet-text">{text}</p>}
      <div className="actions">
        <FileTrigger
          acceptedFileTypes={accept}
          allowsMultiple={isMultiple}
          onSelect={(files) => take([...(files ?? [])])}
        >
          <Button className="button primary">{chooseLabel}</Button>
        </FileTrigger>
        {photographLabel !== undefined && (
          <FileTrigger
            acceptedFileTypes={['image/*']}
            defaultCamera="environment"
            onSelect={(files) => take([...(files ?? [])])}
          >
            <Button className="button">{photographLabel}</Button>
          </FileTrigger>
        )}
      </div>
      {children}
    </DropZone>
  );
}
