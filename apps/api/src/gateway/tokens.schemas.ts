import type { PaymentProvider, SavedCard } from '@counterfoil/payments';
import {
  BooleanProperty,
  IntegerProperty,
  ListProperty,
  ObjectProperty,
  SuccessBody,
  TextProperty,
  TimeProperty,
} from '../http/answers';
import { IdField, TextField } from '../http/fields';
import { NamedEntityBody } from '../parties/named-entity.schemas';
import { NoPanTextField } from './no-pan-field';

const PROVIDER_MAX = 50;
export const PROVIDER_TOKEN_MAX = 500;

export class AttachTokenBody {
  @TextField({ presence: 'required', max: PROVIDER_MAX, example: 'sandbox' }) readonly provider!: string;
  @NoPanTextField({
    presence: 'required',
    max: PROVIDER_TOKEN_MAX,
    description: "The provider's token for the card. Never its number, which is refused.",
    example: 'tok_approved',
  })
  readonly providerToken!: string;
  @IdField({ presence: 'optional', description: 'The numeric id of a client or vendor: whose card it is.' })
  readonly entityId?: number | null;
}

class TestTokenBody {
  @TextProperty({ example: 'tok_approved' }) readonly providerToken!: string;
  @TextProperty() readonly description!: string;
}

export class ProviderBody {
  @TextProperty({ example: 'sandbox' }) readonly provider!: string;
  @TextProperty({ example: 'Sandbox' }) readonly name!: string;
  @BooleanProperty({ description: 'Whether no money moves.' }) readonly isSandbox!: boolean;
  @ListProperty(TestTokenBody, { description: 'The tokens for tests without a card.' })
  readonly testTokens!: readonly TestTokenBody[];
}

export class AttachedTokenBody extends SuccessBody {
  @IntegerProperty() readonly tokenId!: number;
}

/** A saved card, without its number. */
export class TokenBody {
  @IntegerProperty({ description: 'The tokenId that charges name.' }) readonly id!: number;
  @TextProperty({ example: 'sandbox' }) readonly provider!: string;
  @TextProperty({ example: 'VISA' }) readonly brand!: string;
  @TextProperty({ pattern: '^[0-9]{4}$', example: '4242' }) readonly last4!: string;
  @IntegerProperty({ minimum: 1, maximum: 12 }) readonly expiryMonth!: number;
  @IntegerProperty() readonly expiryYear!: number;
  @IntegerProperty({ nullable: true, description: 'The id of entity.' }) readonly entityId!: number | null;
  @ObjectProperty(NamedEntityBody, {
    nullable: true,
    description: 'Whose card it is; null if nobody is named.',
  })
  readonly entity!: NamedEntityBody | null;
  @TimeProperty() readonly createdAt!: string;
}

export function presentProvider({ name, title, testTokens }: PaymentProvider): ProviderBody {
  return { provider: name, name: title, isSandbox: testTokens.length > 0, testTokens };
}

export function presentToken({ createdAt, ...saved }: SavedCard): TokenBody {
  const { id, provider, brand, last4, expiryMonth, expiryYear, entityId } = saved;
  const card = { brand, last4, expiryMonth, expiryYear };
  return { id, provider, ...card, entityId, entity: ownerOf(saved), createdAt: createdAt.toISOString() };
}

function ownerOf({ entityId, entityVisibleId, entityName }: Omit<SavedCard, 'createdAt'>) {
  if (entityId === null || entityVisibleId === null || entityName === null) return null;
  return { id: entityId, visibleId: entityVisibleId, name: entityName };
}

export function presentAttachedToken(tokenId: number): AttachedTokenBody {
  return { success: true, tokenId };
}
