import type { Connection } from '../../sources/connection.js';
import { connectionSecretsOf } from '../../sources/connection-secrets.js';
import type { Session } from '../../sources/session.js';

const MAX_URL_CHARACTERS = 2_000;
const REDACTED = '***';

/**
 * Matches parameters that usually contain credentials. A vendor's link can contain credentials that the service does
 * not know.
 */
const CREDENTIAL_PARAMETER =
  /^(x-(amz|goog)-(signature|credential|security-token)|sig|signature|(access|auth|refresh|id)?_?token|(api|access|subscription)?[_-]?key|secret|client_secret|password|jwt|hmac)$/i;

/**
 * Truncates the URL. Replaces secrets in any percent-encoding, and the values of parameters that usually contain
 * credentials.
 */
export function redactUrl(url: string, connection: Connection, session: Session | undefined): string {
  // The longest secret comes first, because a shorter secret may be a part of a longer secret.
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

/** A part without a secret keeps its encoding. */
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
