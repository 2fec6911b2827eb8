/**
 * Ports of protocols other than HTTP, whose servers could interpret parts of an HTTP request as commands. From the
 * Fetch standard, section 2.9 "Port blocking", https://fetch.spec.whatwg.org/#port-blocking.
 */
const BLOCKED = new Set([
  ...[0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104],
  ...[109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526],
  ...[530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045],
  ...[4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

const DEFAULTS: Record<string, number> = { 'http:': 80, 'https:': 443 };
const FIRST_UNRESERVED = 1_024;

export function hasBlockedPort(url: URL): boolean {
  return url.port !== '' && BLOCKED.has(Number(url.port));
}

export function portOf({ protocol, port }: { protocol: string; port: string }): number | undefined {
  return port === '' ? DEFAULTS[protocol] : Number(port);
}

/**
 * Reserved ports are the system ports (below 1024) except 80 and 443. An empty `port` means the default port of the
 * protocol.
 */
export function isReservedPort(target: { protocol: string; port: string }): boolean {
  const number = portOf(target);
  return number === undefined || (number < FIRST_UNRESERVED && !Object.values(DEFAULTS).includes(number));
}
