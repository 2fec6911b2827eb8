import { randomBytes } from 'node:crypto';
import { newId } from '../../../src/kernel/ids.js';
import type { SecretLocation } from '../../../src/secrets/secret-store.js';

/** A value sealed for one field of one location. */
export interface SealedField {
  readonly place: SecretLocation;
  readonly field: string;
  readonly text: string;
}

const below = (limit: number): number => Math.floor(Math.random() * limit);
const oneOf = (...texts: string[]): string => texts[below(texts.length)] as string;

/**
 * Cycles through all kinds of manipulation. `others` were sealed for different fields or locations. The last of
 * `others` belongs to a different workspace.
 */
export function tamperedFieldsOf(one: SealedField, others: readonly SealedField[], count: number): SealedField[] {
  const [version, id, body] = one.text.split('.') as [string, string, string];
  const bytes = Buffer.from(body, 'base64url');
  const elsewhere = others.at(-1) as SealedField;
  const another = (): SealedField => others[below(others.length)] as SealedField;
  const text = (changed: string): SealedField => ({ ...one, text: changed });
  const withBody = (changed: Buffer | string): SealedField =>
    text(`${version}.${id}.${typeof changed === 'string' ? changed : changed.toString('base64url')}`);
  const moved = (place: Partial<SecretLocation>): SealedField => ({ ...one, place: { ...one.place, ...place } });
  const flipped = (): Buffer => {
    const [changed, at] = [Buffer.from(bytes), below(bytes.length)];
    changed.writeUInt8(changed.readUInt8(at) ^ (1 << below(8)), at);
    return changed;
  };
  const kinds: (() => SealedField)[] = [
    () => withBody(flipped()),
    () => withBody(bytes.subarray(0, below(bytes.length))),
    () => withBody(bytes.subarray(1 + below(bytes.length - 1))),
    () => withBody(Buffer.concat([bytes, randomBytes(1 + below(20))])),
    () => withBody(randomBytes(28 + below(40))),
    () => withBody(body.slice(0, below(body.length))),
    () => withBody(body + oneOf('=', '==', '\n', '.', ' ', '.x', 'A')),
    () => text(another().text),
    () => text(one.text.replace(id, newId())),
    () => text(one.text.replace(id, another().text.split('.')[1] as string).replace(body, `${body.slice(1)}A`)),
    () => text(one.text.replace(id, id.slice(1 + below(21)))),
    () => text(one.text.replace(version, oneOf('s2', 's0', 'S1', 'w1', '', 's11'))),
    () => text(oneOf('', '..', 's1', `s1.${id}.`, `s1.${id}`, 'geheim', `${one.text}\n`)),
    () => ({ ...one, field: oneOf('Token', 'token ', 'secret', '', 'tok', 'token\0') }),
    () => moved(elsewhere.place),
    () => moved({ recordId: newId() }),
    () => moved({ tenantId: newId() }),
    () => moved({ tenantId: elsewhere.place.tenantId }),
    () => moved({ tenantId: one.place.recordId, recordId: one.place.tenantId }),
  ];
  return Array.from({ length: count }, (_, nth) => (kinds[nth % kinds.length] as () => SealedField)());
}
