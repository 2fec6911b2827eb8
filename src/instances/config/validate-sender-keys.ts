import type { InboundAuthStrategy } from '../../catalog/model/inbound-auth-strategy.js';
import { senderKeyFieldsOf } from '../../catalog/sender-key-fields.js';
import { AppError } from '../../kernel/errors.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { parseSenderKey, senderKeyFormatOf } from '../../sources/sender-key.js';
import type { SubmittedConfig } from './submitted-config.js';

/**
 * Throws BAD_REQUEST if all keys are missing or one key is malformed. Does nothing if the strategy does not verify
 * senders.
 */
export function validateSenderKeys(
  { configSchema, verificationType }: Lean<InboundAuthStrategy>,
  { secrets }: SubmittedConfig,
): void {
  if (verificationType === 'none') return;
  const fields = senderKeyFieldsOf(configSchema);
  const given = fields.filter((field) => secrets[field]);
  if (given.length === 0) throw new AppError('BAD_REQUEST', `authenticationConfig.${fields[0]} is missing.`);
  const unusable = given.find((field) => !parseSenderKey(verificationType, secrets[field] as string));
  if (unusable === undefined) return;
  const form = senderKeyFormatOf(verificationType);
  throw new AppError('BAD_REQUEST', `authenticationConfig.${unusable} is malformed. ${form}.`);
}
