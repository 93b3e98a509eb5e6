import { PartyRecord } from '../party-record.tsx';

export function Page() {
  return <PartyRecord kind="vendors" />;
}
