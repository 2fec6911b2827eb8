import { describe, expect, it } from 'vitest';
import { AddressGuard } from '../../../src/kernel/outbound/address-guard.js';

describe('the guard', () => {
  it('permits only TLS to the public internet', () => {
    const guard = new AddressGuard([]);
    for (const address of ['8.8.8.8', '1.1.1.1', '::ffff:8.8.8.8', '2606:4700:4700::1111', '2a00:1450:4001::200e']) {
      expect([guard.permits(address, 'https:'), guard.permits(address, 'http:')]).toEqual([true, false]);
    }
    for (const text of ['', 'localhost', '8.8.8', '134744072', '2606:4700::1%eth0', '[2606:4700::1]', '8.8.8.8 ']) {
      expect(guard.permits(text, 'https:')).toBe(false);
    }
  });

  it('accepts networks of both families, and treats mapped addresses as IPv4', () => {
    const guard = new AddressGuard(['10.1.0.0/16', 'fd00::/8', '64:ff9b::/96']);
    for (const address of ['10.1.255.255', '::ffff:10.1.0.1', 'fdff::1', '64:ff9b::7f00:1']) {
      expect(guard.permits(address, 'http:')).toBe(true);
    }
    for (const address of ['10.2.0.0', '::ffff:10.2.0.0', '::10.1.0.1', 'fc00::1', '64:ff9b:1::7f00:1']) {
      expect(guard.permits(address, 'https:')).toBe(false);
    }
  });

  it.each([
    '10/8',
    '10.0.0.0',
    '0x0a.0.0.0/8',
    '10.0.0.0/33',
    'fd00::/129',
    '::ffff:10.0.0.0/104',
    'localhost/8',
    '',
    '/',
  ])('rejects %j as a network', (text) => {
    expect(() => new AddressGuard([text])).toThrow('is not a network such as 10.1.0.0/16 or fd00::/8');
  });
});
