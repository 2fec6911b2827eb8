import type { Connection } from '../../sources/connection.js';
import { connectionSecretsOf } from '../../sources/connection-secrets.js';
import type { Session } from '../../sources/session.js';

const MAX_URL_CHARACTERS = 2_000;
const REDACTED = '***';

/**
 * Matches query parameters that conventionally contain credentials. Links of vendors can contain credentials that the
 * service does not know.
 */
const CREDENTIAL_PARAMETER =
  /^(x-(amz|goog)-(signature|credential|security-token)|sig|signature|(access|auth|refresh|id)?_?token|(api|access|subscription)?[_-]?key|secret|client_secret|password|jwt|hmac)$/i;

/**
 * Returns a URL for logs, with at most `MAX_URL_CHARACTERS` characters. Replaces each occurrence of a secret of the
 * connection, in any percent-encoding. Also replaces the values of query parameters that contain credentials.
 */
export function redactUrl(url: string, connection: Connection, session: Session | undefined): string {
  // The longest secret comes first. If a shorter secret within it were replaced first, the rest of the longer secret
  // would remain.
  const secrets = connectionSecretsOf(connection, [session])
    .filter((secret) => secret !== '')
    .sort((one, other) => other.length - one.length);
  const redact = (text: string) => secrets.reduce((left, secret) => left.replaceAll(secret, REDACTED), text);
  const [path = '', ...query] = redact(url).split('?');
  const segments = path.split('/').map((segment) => redactPart(segment, redact));
  const parameters = query.map((part) =>
    part
      .split('&')
      .map((pair) => redactParameter(pair, redact))
      .join('&'),
  );
  return [segments.join('/'), ...parameters].join('?').slice(0, MAX_URL_CHARACTERS);
}

type Redact = (text: string) => string;

function redactParameter(pair: string, redact: Redact): string {
  const [name = '', ...value] = pair.split('=');
  if (value.length > 0 && CREDENTIAL_PARAMETER.test(decode(name))) return `${name}=${REDACTED}`;
  return [name, ...value].map((part) => redactPart(part, redact)).join('=');
}

/** Redacts a part of the URL. A part without a secret keeps its encoding. */
function redactPart(part: string, redact: Redact): string {
  for (const decoded of [decode(part), decode(part.replaceAll('+', ' '))]) {
    const redacted = redact(decoded);
    if (redacted !== decoded) return encodeURIComponent(redacted);
  }
  return part;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
