import type { InboundVerificationType } from '../model/inbound-auth-strategy.js';
import { MAX_SENDER_KEYS, senderKeyFieldsOf, USERNAME_FIELD } from '../sender-key-fields.js';
import { parseSignatureBase, signsValue } from '../signature-base.js';
import type { ConnectorDefinition, DefinitionFault, DefinitionPath, InboundStrategyDefinition } from './definition.js';

type Report = (field: string, rule: string, message: string) => void;
type Need = 'signatureHeader' | 'signatureBase' | 'key' | 'username';

const SIGNATURE_SETTINGS: readonly Need[] = ['signatureHeader', 'signatureBase', 'key'];

const REQUIRED_SETTINGS: Record<InboundVerificationType, readonly Need[]> = {
  none: [],
  shared_token: ['signatureHeader', 'key'],
  basic: ['key', 'username'],
  hmac_sha1: SIGNATURE_SETTINGS,
  hmac_sha256: SIGNATURE_SETTINGS,
  hmac_sha512: SIGNATURE_SETTINGS,
  ed25519: SIGNATURE_SETTINGS,
  ecdsa_p256_sha256: SIGNATURE_SETTINGS,
  standard_webhooks: ['key'],
};

const REPLAY_WINDOW_RANGE_SECONDS = [1, 86_400] as const;

/** The name of a header is a token (RFC 9110, section 5.6.2). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

/** Requires complete verification settings, because a missing setting would admit unverified senders. */
export function checkInboundRules(connector: ConnectorDefinition, path: DefinitionPath): DefinitionFault[] {
  return (connector.inboundAuthStrategies ?? []).flatMap((strategy, index) => {
    const faults: DefinitionFault[] = [];
    const fault: Report = (field, rule, message) => {
      const at = field ? field.split('.') : [];
      faults.push({
        path: [...path, 'inboundAuthStrategies', index, ...at],
        rule,
        message: `${strategy.key}: ${message}`,
      });
    };
    checkSignature(strategy, fault);
    checkSignedValues(strategy, fault);
    checkConfigSchema(strategy, fault);
    checkNumbersAndNames(strategy, fault);
    return faults;
  });
}

function checkSignature(strategy: InboundStrategyDefinition, fault: Report): void {
  const { verificationType, handshakeKind, signatureBase } = strategy;
  const missing = (['signatureHeader', 'signatureBase'] as const).filter(
    (need) => REQUIRED_SETTINGS[verificationType].includes(need) && !strategy[need],
  );
  if (missing.length) fault('', 'signature-is-described', `${verificationType} requires ${missing.join(' and ')}`);
  if (signatureBase && !REQUIRED_SETTINGS[verificationType].includes('signatureBase'))
    fault(
      'signatureBase',
      'signature-is-described',
      `${noSignatureBaseReason(verificationType)}: remove signatureBase, or set the verificationType of the sender's signature`,
    );
  else if (signatureBase && !parseSignatureBase(signatureBase))
    fault(
      'signatureBase',
      'signature-base-is-closed',
      'signatureBase may contain {id}, {timestamp}, {body} and {url}, each at most once',
    );
  else if (signatureBase && !signsValue(signatureBase, 'body'))
    fault(
      'signatureBase',
      'signature-base-is-closed',
      'signatureBase must contain {body}, so that the signature covers the body',
    );
  if (handshakeKind === 'hmac_challenge' && !verificationType.startsWith('hmac_'))
    fault(
      'handshakeKind',
      'challenge-is-signed',
      `hmac_challenge requires verificationType hmac_sha1, hmac_sha256 or hmac_sha512, not ${verificationType}, because the secret of the verification signs the challenge`,
    );
}

function noSignatureBaseReason(verificationType: InboundVerificationType): string {
  if (verificationType === 'standard_webhooks') return 'Standard Webhooks defines the signed content';
  return `verificationType ${verificationType} has no signature`;
}

/**
 * `{timestamp}` in the signature base requires `timestampHeader` or `timestampPrefix`, and `{id}` requires `idHeader`.
 * If the base lacks a variable, rejects the settings of this variable: an attacker could change the unsigned value.
 */
function checkSignedValues(strategy: InboundStrategyDefinition, fault: Report): void {
  const { signatureBase, timestampHeader, signatureFormat = {} } = strategy;
  const { idHeader, prefix, isList, timestampPrefix, separator } = signatureFormat;
  if (!signatureBase || !parseSignatureBase(signatureBase)) return;
  const timestamps = [timestampHeader, timestampPrefix].filter((source) => source !== undefined);
  const ids = [idHeader].filter((source) => source !== undefined);
  if (timestamps.length !== Number(signsValue(signatureBase, 'timestamp')))
    fault(
      '',
      'signed-value-has-source',
      '{timestamp} in signatureBase and either timestampHeader or timestampPrefix must be set together',
    );
  if (ids.length !== Number(signsValue(signatureBase, 'id')))
    fault('', 'signed-value-has-source', '{id} in signatureBase and signatureFormat.idHeader must be set together');
  if (isList && !prefix)
    fault(
      'signatureFormat',
      'list-has-prefix',
      'a list of signatures requires prefix, which distinguishes the signatures from other parts of the header',
    );
  if (separator && !isList && timestampPrefix === undefined)
    fault(
      'signatureFormat.separator',
      'separator-has-parts',
      'separator requires isList or timestampPrefix; otherwise the header has only one part',
    );
  if (
    timestampPrefix !== undefined &&
    (!prefix || prefix.startsWith(timestampPrefix) || timestampPrefix.startsWith(prefix))
  )
    fault(
      'signatureFormat',
      'prefixes-differ',
      'prefix and timestampPrefix are required if one header contains both the signature and the timestamp. Neither prefix may start with the other',
    );
}

function checkConfigSchema({ verificationType, configSchema }: InboundStrategyDefinition, fault: Report): void {
  const needs = REQUIRED_SETTINGS[verificationType];
  const keys = senderKeyFieldsOf(configSchema);
  const at = configSchema ? 'configSchema' : '';
  if (needs.includes('key') && keys.length === 0)
    fault(
      at,
      'sender-key-is-in-config-schema',
      `${verificationType} requires a configSchema field with \`secret: true\`. The fields username and verifyToken do not count`,
    );
  if (keys.length > MAX_SENDER_KEYS)
    fault(
      at,
      'sender-key-is-in-config-schema',
      `configSchema has more than ${MAX_SENDER_KEYS} secrets for verification`,
    );
  if (
    needs.includes('username') &&
    !Object.hasOwn((configSchema?.properties as object | undefined) ?? {}, USERNAME_FIELD)
  )
    fault(
      at,
      'sender-key-is-in-config-schema',
      `${verificationType} requires the configSchema field ${USERNAME_FIELD}`,
    );
  if (configSchema && configSchema.additionalProperties !== false)
    fault(
      at,
      'inbound-config-is-closed',
      'configSchema must set `additionalProperties: false`. Otherwise, if the name of a secret field is misspelled, the service would store the secret unencrypted',
    );
}

function checkNumbersAndNames(strategy: InboundStrategyDefinition, fault: Report): void {
  const {
    replayWindowSeconds: window = REPLAY_WINDOW_RANGE_SECONDS[0],
    signatureHeader,
    timestampHeader,
    signatureFormat,
  } = strategy;
  const [least, most] = REPLAY_WINDOW_RANGE_SECONDS;
  if (window < least || window > most)
    fault('replayWindowSeconds', 'replay-window-fits', `replayWindowSeconds must be ${least} to ${most}`);
  const names = { signatureHeader, timestampHeader, 'signatureFormat.idHeader': signatureFormat?.idHeader };
  for (const [field, name] of Object.entries(names))
    if (name !== undefined && !HEADER_NAME.test(name))
      fault(field, 'header-name-is-valid', `${field} is not a valid header name`);
}
