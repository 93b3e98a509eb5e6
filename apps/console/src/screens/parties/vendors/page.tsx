import { PartyList } from '../party-list.tsx';

export function Page() {
  return <PartyList kind="vendors" />;
}
