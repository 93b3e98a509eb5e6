import { Label, ProgressBar } from 'react-aria-components';

/** @param value 0 to 100; undefined while the length is unknown */
export function Progress({ label, value }: { readonly label: string; readonly value?: number }) {
  return (
    <ProgressBar className="progress" value={value ?? 0} isIndeterminate={value === undefined}>
      {({ valueText }) => (
        <>
          <Label>{label}</Label>
          <span>{valueText}</span>
          <progress max={100} value={value} aria-hidden="true" />
        </>
      )}
    </ProgressBar>
  );
}
