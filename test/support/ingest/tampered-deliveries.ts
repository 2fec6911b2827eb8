import type { SignedDelivery } from './sender-builder.js';

/** `how` describes the alteration of the request. */
export interface TamperedDelivery {
  readonly how: string;
  readonly headers: string[];
  readonly body: Buffer;
  readonly url: string;
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=';

export function rawHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flat();
}

/** Body and URL remain unchanged. */
export function* tamperHeaders({ headers, body, url }: SignedDelivery): Generator<TamperedDelivery> {
  for (const [name, value] of Object.entries(headers)) {
    const changed = (how: string, text: string): TamperedDelivery => ({
      ...{ how: `${name}: ${how}`, headers: rawHeaders({ ...headers, [name]: text }), body, url },
    });
    for (const text of misspelled(value)) if (text !== value) yield changed(JSON.stringify(text), text);
    const others = Object.entries(headers).filter(([other]) => other !== name);
    const left = others.flat();
    yield { how: `${name} omitted`, headers: left, body, url };
    yield { how: `${name} renamed`, headers: [...left, `${name}-`, value], body, url };
    yield { how: `X-${name} instead`, headers: [...left, `X-${name}`, value], body, url };
    for (const second of [value, '', `${value} `, 'x']) {
      yield {
        how: `${name} with ${JSON.stringify(second)} after it`,
        headers: [...left, name, value, name, second],
        body,
        url,
      };
      yield {
        how: `${name} with ${JSON.stringify(second)} before it`,
        headers: [...left, name.toLowerCase(), second, name, value],
        body,
        url,
      };
    }
  }
}

export function* tamperBodies({ headers, body, url }: SignedDelivery): Generator<TamperedDelivery> {
  const raw = rawHeaders(headers);
  const changed = (how: string, bytes: Buffer): TamperedDelivery => ({
    how: `body: ${how}`,
    headers: raw,
    body: bytes,
    url,
  });
  for (const [at, byte] of body.entries()) {
    for (let bit = 0; bit < 8; bit++) {
      const bytes = Buffer.from(body);
      bytes[at] = byte ^ (1 << bit);
      yield changed(`bit ${bit} of byte ${at}`, bytes);
    }
    const [before, after] = [body.subarray(0, at), body.subarray(at)];
    if (byte !== body[at + 1]) yield changed(`without byte ${at}`, Buffer.concat([before, after.subarray(1)]));
    yield changed(`byte ${at} twice`, Buffer.concat([before, body.subarray(at, at + 1), after]));
    yield changed(`up to byte ${at}`, before);
    for (const more of [0x00, 0x20, 0x0a])
      if (more !== byte)
        yield changed(`${more} before byte ${at}`, Buffer.concat([before, Buffer.from([more]), after]));
  }
  for (const more of ['\0', ' ', '\n', '\r\n'])
    yield changed(`${JSON.stringify(more)} appended`, Buffer.concat([body, Buffer.from(more)]));
  yield changed('read as UTF-8', Buffer.from(body.toString()));
  yield changed('read as Latin-1', Buffer.from(body.toString('latin1')));
  yield changed('trimmed', Buffer.from(body.toString('latin1').trim(), 'latin1'));
  yield changed('with Unix line ends', Buffer.from(body.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'));
}

export function* tamperUrls({ headers, body, url }: SignedDelivery): Generator<TamperedDelivery> {
  for (const text of [...everyCharacter(url), `${url}&x=1`, url.replace('https', 'http'), url.toUpperCase()])
    if (text !== url) yield { how: `url: ${text}`, headers: rawHeaders(headers), body, url: text };
}

/**
 * Returns variants of `value`: each has one changed character, or the same signature in a notation that lenient
 * parsers accept.
 */
function misspelled(value: string): string[] {
  const [, lead = '', signature = ''] = /^(.*?(?:=|,)??)([A-Za-z0-9+/]{27,}={0,2})$/.exec(value) ?? [];
  const bytes = /^[0-9a-f]+$/.test(signature) ? Buffer.from(signature, 'hex') : Buffer.from(signature, 'base64');
  const spellings = signature
    ? [
        ...[signature.toUpperCase(), signature.toLowerCase(), signature.replaceAll('=', ''), `${signature}=`],
        ...[signature.replaceAll('+', '-').replaceAll('/', '_'), bytes.toString('base64url'), `0x${signature}`],
        ...[
          bytes.toString('hex'),
          bytes.toString('base64'),
          `${signature}00`,
          `${signature}\n`,
          signature.slice(0, -2),
        ],
        ...[signature.replace(/(.{20})/, '$1\n'), signature.replace(/(.{20})/, '$1 '), bytes.toString('latin1')],
        ...[...BASE64].map((letter) => signature.replace(/.(=*)$/, `${letter}$1`)),
        ...[...BASE64].map((letter) => `${signature.slice(0, -1)}${letter}`),
      ].map((text) => `${lead}${text}`)
    : [];
  const prefixes = [
    signature,
    `=${value}`,
    `SHA256=${signature}`,
    `sha1=${signature}`,
    `sha512=${signature}`,
    `v2=${signature}`,
    `V1,${signature}`,
  ];
  const blanks = [
    ` ${value}`,
    `${value} `,
    `\t${value}`,
    `${value}\r\n`,
    `"${value}"`,
    `${value},`,
    `,${value}`,
    `${value};`,
    `${value}, ${value}`,
    `${value} ${value}x`,
  ];
  const numbers = [
    `+${value}`,
    `-${value}`,
    `0${value}`,
    `${value}.0`,
    `${value}e0`,
    `${value}n`,
    `0x${value}`,
    `${value}0`,
    ...nearby(value),
  ];
  return [...spellings, ...prefixes, ...blanks, ...numbers, ...everyCharacter(value), ''].filter(
    (text) => text !== value,
  );
}

function nearby(value: string): string[] {
  if (!/^\d+$/.test(value)) return [];
  return [-400_000, -301, -1, 1, 61, 400_000].map((distance) => String(Number(value) + distance));
}

function everyCharacter(text: string): string[] {
  return [...text].flatMap((letter, at) => {
    const [before, after] = [text.slice(0, at), text.slice(at + 1)];
    const others = ['0', 'f', 'A', ' ', 'ä', '\0'].filter((other) => other !== letter);
    return [
      `${before}${after}`,
      `${before}${letter}${letter}${after}`,
      ...others.map((other) => `${before}${other}${after}`),
    ];
  });
}
