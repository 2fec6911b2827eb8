import { generateKeyPairSync, sign } from 'node:crypto';

/** Returns a self-signed certificate, which expires tomorrow, and its key, as PEM. Node cannot create certificates. */
export function aCertificate(name: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const der = (tag: number, ...parts: Uint8Array[]) => {
    const { length } = Buffer.concat(parts);
    return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 255]), ...parts]);
  };
  const set = (...parts: Uint8Array[]) => der(0x30, ...parts);
  const id = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
  const day = (offset: number) =>
    new Date(Date.now() + offset * 86_400_000).toISOString().replace(/^..|[-:T]|\.\d+/g, '');
  const time = (offset: number) => der(0x17, Buffer.from(day(offset)));
  const ecdsaWithSha256 = set(id('2a8648ce3d040302'));
  const commonName = set(der(0x31, set(id('550403'), der(0x0c, Buffer.from(name)))));
  const alternativeName = set(id('551d11'), der(0x04, set(der(0x82, Buffer.from(name)))));
  const body = set(
    ...[der(0xa0, der(0x02, Buffer.from([2]))), der(0x02, Buffer.from([1])), ecdsaWithSha256, commonName],
    ...[set(time(-1), time(1)), commonName, publicKey.export({ type: 'spki', format: 'der' })],
    der(0xa3, set(alternativeName)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const cert = set(body, ecdsaWithSha256, signature).toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: `${privateKey.export({ type: 'pkcs8', format: 'pem' })}`,
    cert: `-----BEGIN CERTIFICATE-----\n${cert}\n-----END CERTIFICATE-----\n`,
  };
}
