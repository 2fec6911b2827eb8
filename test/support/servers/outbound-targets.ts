import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';

/** Blocked addresses, at least one of each special range (RFC 6890 and the IANA registries). */
const SPECIAL_IPV4 = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.100.100.200', '100.127.255.255'],
  ...['127.0.0.1', '127.0.0.2', '127.127.127.127', '127.255.255.255', '169.254.0.1', '169.254.169.254', '172.16.0.1'],
  ...['172.31.255.255', '192.0.0.1', '192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.0.1', '192.168.255.255'],
  ...['198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1'],
  '255.255.255.255',
];

/** Addresses on which the canary servers listen. On Linux, all addresses in 127.0.0.0/8 are loopback addresses. */
export const LOOPBACK_IPV4 = ['127.0.0.1', '127.0.0.2'] as const;

const SPECIAL_IPV6 = [
  ...['::', '::1', '0:0:0:0:0:0:0:1', '0000:0000:0000:0000:0000:0000:0000:0001', '::0.0.0.1', '100::1', '100:0:0:1::1'],
  ...['2001:2::1', '2001:10::1', '2001:20::1', '2001:db8::1', '3fff::1', '5f00::1', '4000::1', 'fc00::1', 'fd00::1'],
  ...['fd00:ec2::254', 'fe80::1', 'febf::1', 'fec0::1', 'ff01::1', 'ff02::1', 'ff0e::1', 'ffff::1'],
];

/**
 * Returns IPv6 addresses that embed an IPv4 address: mapped, compatible, translated, NAT64, 6to4, Teredo and ISATAP.
 */
function wrapped(ipv4: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
  const hex = (first: number, second: number) => ((first << 8) | second).toString(16);
  const words = `${hex(a, b)}:${hex(c, d)}`;
  const inverted = `${hex(a ^ 255, b ^ 255)}:${hex(c ^ 255, d ^ 255)}`;
  return [
    ...[`::ffff:${ipv4}`, `::ffff:${words}`, `0:0:0:0:0:FFFF:${words}`, `::${ipv4}`, `::${words}`, `::ffff:0:${words}`],
    ...[
      `64:ff9b::${ipv4}`,
      `64:ff9b::${words}`,
      `64:ff9b:1::${words}`,
      `2002:${words}::`,
      `2001:0:${words}::${inverted}`,
    ],
    ...[`2001::${inverted}`, `fe80::5efe:${words}`],
  ];
}

/** Returns notations of the address that a browser or the C library accepts. */
export function addressSpellings(ipv4: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
  const number = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  const octets = [a, b, c, d];
  const octal = (value: number) => `0${value.toString(8)}`;
  const hex = (value: number) => `0x${value.toString(16)}`;
  const inDigits = (zero: number) => ipv4.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
  return [
    ...[ipv4, `${ipv4}.`, String(number), `0x${number.toString(16)}`, `0X${number.toString(16).toUpperCase()}`],
    ...[
      octal(number),
      `000${octal(number)}`,
      octets.map(octal).join('.'),
      octets.map(hex).join('.'),
      `${octal(a)}.${b}.${hex(c)}.${d}`,
    ],
    ...[`${a}.${number & 0xffffff}`, `${a}.${b}.${number & 0xffff}`, `${hex(a)}.${octal(number & 0xffffff)}`],
    ...[
      ipv4.replaceAll('.', '。'),
      ipv4.replaceAll('.', '．'),
      ipv4.replaceAll('.', '｡'),
      inDigits(0xff10),
      inDigits(0x1d7ce),
    ],
    ...[ipv4.replace(/./g, (sign) => `%${sign.charCodeAt(0).toString(16)}`), ipv4.replace('.', '%2e')],
  ];
}

export const ALLOWED_IPV4 = '127.0.0.3';

/** Names that resolve to at least one allowed or public address. */
const GOOD_NAMES: Record<string, string[]> = {
  'allowed.test': ['10.0.0.1', '127.0.0.1', ALLOWED_IPV4, '::1'],
  'public.test': ['8.8.8.8', '2606:4700:4700::1111'],
  'both.test': ['127.0.0.1', '8.8.8.8'],
};

const BAD_NAMES: Record<string, string[]> = {
  ...{ localhost: ['127.0.0.1', '::1'], 'localhost.': ['127.0.0.1'], 'app.localhost': ['127.0.0.1'] },
  ...{
    'loopback.test': ['127.0.0.1'],
    'six.test': ['::1'],
    'mapped.test': ['::ffff:127.0.0.1'],
    'nat64.test': ['64:ff9b::7f00:1'],
  },
  ...{ 'metadata.test': ['169.254.169.254'], 'private.test': ['10.0.0.1'], 'shared.test': ['100.64.0.1'] },
  ...{ 'unique.test': ['fd00::1'], 'link.test': ['fe80::1%lo'], 'broadcast.test': ['255.255.255.255'] },
  ...{ 'mixed.test': ['10.0.0.1', '127.0.0.1', '::1', '192.168.0.1'], 'odd.test': ['0177.0.0.1', '2130706433', ''] },
};

/** Replaces the DNS lookup of the outbound client. */
export async function lookupTarget(name: string): Promise<LookupAddress[]> {
  const addresses = { ...GOOD_NAMES, ...BAD_NAMES }[name.toLowerCase()];
  if (!addresses) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
  return addresses.map((address) => ({ address, family: isIP(address) }));
}

/** The bad ports of the Fetch standard. */
export const UNSAFE_PORTS =
  `0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115
  117 119 123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993
  995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`.split(/\s+/);

/** Returns URLs whose address the outbound client blocks. `port` is the port of the canary servers. */
export function blockedAddresses(port: number): string[] {
  const hosts = [
    ...LOOPBACK_IPV4.flatMap(addressSpellings),
    ...addressSpellings('169.254.169.254'),
    ...SPECIAL_IPV4,
    ...[...SPECIAL_IPV6, ...['127.0.0.1', '10.0.0.1', '169.254.169.254'].flatMap(wrapped)].map(
      (address) => `[${address}]`,
    ),
    ...Object.keys(BAD_NAMES),
  ];
  const ports = ['', ':80', ':443', ':8080', `:0${port}`].map((text) => `http://127.0.0.1${text}/`);
  const reserved = [2, 81, 88, 442, 444, 445, 873, 1_023].flatMap((number) => [
    `8.8.8.8:${number}`,
    `public.test:${number}`,
  ]);
  return [
    ...new Set(hosts.flatMap((host) => [`http://${host}:${port}/`, `https://${host}:${port}/`])),
    ...reserved.map((host) => `https://${host}/`),
    ...[...ports, 'http://8.8.8.8/', 'http://public.test/', 'http://[2606:4700:4700::1111]/', 'http://both.test/'],
    ...[
      `http:127.0.0.1:${port}/`,
      `http:\\\\127.0.0.1:${port}\\`,
      `http:/127.0.0.1:${port}/`,
      `HTTP://127.0.0.1:${port}`,
    ],
    ...[
      ` http://127.0.0.1:${port}/ `,
      `ht\ntp://127.0.0.1:${port}/`,
      `http://127.0.0.1\r\n:${port}/`,
      `http://127.0.\t0.1:${port}/`,
    ],
    ...[
      `http://127.0.0.1:${port}/\r\nHost: 8.8.8.8`,
      `http://127.0.0.1:${port}#@8.8.8.8/`,
      `http://127.0.0.1:${port}?@8.8.8.8`,
    ],
  ];
}

/** Returns URLs that the outbound client rejects without a lookup. */
export function malformedAddresses(port: number): string[] {
  return [
    ...UNSAFE_PORTS.flatMap((bad) => [`http://127.0.0.3:${bad}/`, `https://public.test:${bad}/`]),
    ...['user@', 'user:password@', ':password@', '8.8.8.8@', '%38@'].map((user) => `http://${user}127.0.0.1:${port}/`),
    ...['ftp', 'ws', 'wss', 'gopher', 'dict', 'ldap', 'tftp', 'sftp', 'jar:http'].map(
      (scheme) => `${scheme}://127.0.0.1:${port}/`,
    ),
    ...[
      'file:///etc/passwd',
      'file://127.0.0.1/etc/passwd',
      'data:,x',
      'unix:/var/run/docker.sock',
      'blob:http://127.0.0.1/x',
    ],
    ...['javascript:alert(1)', 'about:blank', `http://127.0.0.1%0d%0a:${port}/`, `http://127.0.0.1%00:${port}/`],
    ...[`http://127.0.0.1%20:${port}/`, `http://[::1%25lo]:${port}/`, `http://[::1]a:${port}/`, `http://[::1:${port}/`],
    ...[
      'http://127.0.0.1:99999/',
      'http://127.0.0.1:-1/',
      'http://127.0.0.1:8 0/',
      'http://256.256.256.256/',
      'http://0x100000000/',
    ],
    ...['http://127.0.0.1.256/', 'http://1.2.3.4.5/', 'http://08.0.0.1/', 'http://', 'https://'],
  ];
}
