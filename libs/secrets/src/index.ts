export { reencrypt, type Reencryption, type ReencryptionProgress } from './reencrypt';
export { type ResealedRow, SealedRows } from './sealed-rows';
export { SecretBox } from './secret-box';
export {
  deriveKey,
  parseSecretsKeys,
  SECRETS_KEY_LENGTH_MIN,
  type SecretsKey,
  type SecretsKeys,
} from './secrets-keys';
export { type Sign, Signatures } from './signatures';
