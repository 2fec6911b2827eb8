import { Entity, Property, Unique } from '@mikro-orm/decorators/legacy';
import {
  EnumColumn,
  IntColumn,
  JsonColumn,
  PlainObjectType,
  TextColumn,
} from '../../kernel/entities/column-decorators.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';
import { ConnectorPart } from './connector-part.js';

export const InboundHandshakeKind = wireEnum(
  'InboundHandshakeKind',
  'How a sender checks the address before it sends.',
  {
    none: 'It does not.',
    echo_query_param: 'A query parameter comes back as the body.',
    echo_body_field: 'A field of the body comes back.',
    echo_header: 'A header comes back.',
    hmac_challenge: 'A challenge comes back signed.',
  },
);
export type InboundHandshakeKind = keyof typeof InboundHandshakeKind;

export const InboundVerificationType = wireEnum('InboundVerificationType', 'How a sender proves who it is.', {
  none: 'By the secret address alone.',
  shared_token: 'By a token in a header.',
  basic: 'By HTTP Basic.',
  hmac_sha1: 'By HMAC-SHA1 over the signature base.',
  hmac_sha256: 'By HMAC-SHA256 over the signature base.',
  hmac_sha512: 'By HMAC-SHA512 over the signature base.',
  ed25519: 'By an Ed25519 signature over the signature base.',
  ecdsa_p256_sha256: 'By an ECDSA P-256 signature over the signature base.',
  standard_webhooks: 'By the Standard Webhooks scheme.',
});
export type InboundVerificationType = keyof typeof InboundVerificationType;

/** How signature and timestamp are spelled in their headers. Exactly one spelling is accepted, so that what was altered on its way never passes. */
export interface SignatureFormat {
  /** `hex` where left out, in lower case; base64 with its padding. */
  readonly encoding?: 'hex' | 'base64';
  /** What stands before each signature, such as `sha256=`; nothing where left out. */
  readonly prefix?: string;
  /** What stands before the timestamp, such as `t=`, where it shares the signature's header; parts are then separated by commas. */
  readonly timestampPrefix?: string;
  /** `seconds` since 1970 where left out. */
  readonly timestampUnit?: 'seconds' | 'milliseconds' | 'iso8601';
  /** Header with the `{id}` of the signature base. */
  readonly idHeader?: string;
}

@PlainObjectType('How senders of pushed records are verified.')
@Entity({ orderBy: { position: 'asc' } })
@Unique({ properties: ['connector', 'definitionKey'] })
export class InboundAuthStrategy extends ConnectorPart {
  /** Names the strategy in its definition file, so that its id survives every reload. */
  @Property({ type: 'text' })
  definitionKey: string;

  @TextColumn('Display label in setup.', { nullable: true })
  label?: string;

  @EnumColumn(InboundHandshakeKind, 'How the sender checks the address before it sends.')
  handshakeKind: InboundHandshakeKind;

  @EnumColumn(InboundVerificationType, 'How the sender proves who it is.')
  verificationType: InboundVerificationType;

  @JsonColumn(() => JsonObject, 'JSON Schema of what the customer supplies, such as the signing secret.', {
    nullable: true,
  })
  configSchema?: Record<string, unknown>;

  @IntColumn('Seconds that a timestamp may lie in the past; 300 where left out.', { nullable: true })
  replayWindowSeconds?: number;

  @TextColumn('What is signed: a template of `{id}`, `{timestamp}`, `{body}` and `{url}`.', { nullable: true })
  signatureBase?: string;

  @TextColumn('Header with the signature.', { nullable: true })
  signatureHeader?: string;

  @TextColumn('Header with the timestamp.', { nullable: true })
  timestampHeader?: string;

  @Property({ type: 'json', columnType: 'json', nullable: true })
  signatureFormat?: SignatureFormat;
}
