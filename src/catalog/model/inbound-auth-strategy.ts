// The catalog entities import each other. Without this first import, ConnectorPart would be undefined here.
import './connector.js';
import { Entity, Property, Unique } from '@mikro-orm/decorators/legacy';
import {
  EnumColumn,
  IntColumn,
  JsonColumn,
  PlainObjectType,
  TextColumn,
} from '../../kernel/entities/column-decorators.js';
import { Listed } from '../../kernel/entities/listed.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';
import { ConnectorPart } from './connector-part.js';

export const InboundHandshakeKind = wireEnum(
  'InboundHandshakeKind',
  'How a sender verifies the URL before it sends records.',
  {
    none: 'No handshake.',
    echo_query_param: 'The response body repeats a query parameter.',
    echo_body_field: 'The response repeats a field of the request body.',
    echo_header: 'The response repeats a request header.',
    hmac_challenge: 'The response contains the HMAC of a challenge.',
  },
);
export type InboundHandshakeKind = keyof typeof InboundHandshakeKind;

export const InboundVerificationType = wireEnum('InboundVerificationType', 'How a sender authenticates.', {
  none: 'With the ingest token only.',
  shared_token: 'Token in a header.',
  basic: 'HTTP Basic.',
  hmac_sha1: 'HMAC-SHA1 over the text of `signatureBase`.',
  hmac_sha256: 'HMAC-SHA256 over the text of `signatureBase`.',
  hmac_sha512: 'HMAC-SHA512 over the text of `signatureBase`.',
  ed25519: 'Ed25519 signature over the text of `signatureBase`.',
  ecdsa_p256_sha256: 'ECDSA P-256 signature over the text of `signatureBase`.',
  standard_webhooks: 'Standard Webhooks signature.',
});
export type InboundVerificationType = keyof typeof InboundVerificationType;

/** The service rejects a signature in another encoding than `encoding`, such as uppercase hexadecimal. */
export interface SignatureFormat {
  /** Lowercase `hex` (default) or padded `base64`. */
  readonly encoding?: 'hex' | 'base64';
  /** Prefix of each signature, such as `sha256=`. Defaults to none. */
  readonly prefix?: string;
  /**
   * Whether the header can contain several signatures, one of which must be valid. Defaults to false, or to true with
   * `timestampPrefix`.
   */
  readonly isList?: boolean;
  /** Prefix of the timestamp, such as `t=`, if the signature header also contains the timestamp. */
  readonly timestampPrefix?: string;
  /** Character between the parts of the signature header. Defaults to a comma. */
  readonly separator?: ',' | ';';
  /** Defaults to `seconds` (Unix time). */
  readonly timestampUnit?: 'seconds' | 'milliseconds' | 'iso8601';
  /** Header with the value of `{id}` in the signature base. */
  readonly idHeader?: string;
}

@PlainObjectType('How the service verifies senders of pushed records.')
@Entity({ orderBy: { position: 'asc' } })
@Unique({ properties: ['connector', 'definitionKey'] })
@Listed({ filters: ['label', 'verificationType', 'handshakeKind'], orders: ['label'] })
export class InboundAuthStrategy extends ConnectorPart {
  /** Identifies the strategy in the definition, so that the id of the strategy is stable across reloads. */
  @Property({ type: 'text' })
  definitionKey: string;

  @TextColumn('Label shown during setup.', { nullable: true })
  label?: string;

  @EnumColumn(InboundHandshakeKind, 'How the sender verifies the URL before it sends records.')
  handshakeKind: InboundHandshakeKind;

  @EnumColumn(InboundVerificationType, 'How the sender authenticates.')
  verificationType: InboundVerificationType;

  @JsonColumn(() => JsonObject, 'JSON Schema of the settings that the customer supplies, such as the signing secret.', {
    nullable: true,
  })
  configSchema?: Record<string, unknown>;

  @IntColumn('Maximum age of the timestamp of a delivery, in seconds. Defaults to 300.', { nullable: true })
  replayWindowSeconds?: number;

  @TextColumn('Template of the signed text. Contains `{body}`, and optionally `{id}`, `{timestamp}` and `{url}`.', {
    nullable: true,
  })
  signatureBase?: string;

  @TextColumn('Header with the signature or, for `shared_token`, with the token.', { nullable: true })
  signatureHeader?: string;

  @TextColumn('Header with the timestamp.', { nullable: true })
  timestampHeader?: string;

  @Property({ type: 'json', columnType: 'json', nullable: true })
  signatureFormat?: SignatureFormat;
}
