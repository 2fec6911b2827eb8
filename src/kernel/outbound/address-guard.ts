import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
import { isReservedPort } from './blocked-ports.js';
import { type GuardRule, OutboundError } from './outbound-error.js';

type Protocol = 'http:' | 'https:';
export type Lookup = (name: string, options: { all: true }) => Promise<LookupAddress[]>;

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * The IPv6 range for public addresses. The result `unicast` of ipaddr.js is not sufficient, because it includes unknown
 * ranges.
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Decides which addresses the service may connect to. Public addresses require TLS and an unreserved port. For
 * addresses in `allow`, the guard also permits plain HTTP and reserved ports.
 */
export class AddressGuard {
  readonly #allowed: readonly [Address, number][];

  constructor(allow: readonly string[]) {
    this.#allowed = allow.map(parseNetwork);
  }

  permits(address: string, protocol: Protocol, hasReservedPort = false): boolean {
    return this.ruleAgainst(address, protocol, hasReservedPort) === undefined;
  }

  /** Returns undefined if the guard permits the connection. */
  ruleAgainst(address: string, protocol: Protocol, hasReservedPort: boolean): GuardRule | undefined {
    const parsed = parseAddress(address);
    if (!parsed) return 'private_address';
    if (this.#allowed.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits))) {
      return undefined;
    }
    if (!isPublic(parsed)) return 'private_address';
    if (protocol === 'http:') return 'plain_http';
    return hasReservedPort ? 'reserved_port' : undefined;
  }
}

type RuleAgainst = (address: string) => GuardRule | undefined;

interface ConnectorOptions {
  readonly guard: AddressGuard;
  readonly protocol: Protocol;
  readonly lookup: Lookup;
  /** Called with every socket before it connects. */
  readonly opened: (socket: Socket) => void;
}

export function guardedConnector({ guard, protocol, ...rest }: ConnectorOptions): buildConnector.connector {
  // Each kind of port needs its own connector, because `lookup` does not receive the port.
  const connectorTo = (hasReservedPort: boolean) =>
    connectorBy({ ...rest, ruleAgainst: (address) => guard.ruleAgainst(address, protocol, hasReservedPort) });
  const [ordinary, reserved] = [connectorTo(false), connectorTo(true)];
  return (target, done) => (isReservedPort(target) ? reserved : ordinary)(target, done);
}

function connectorBy(options: { ruleAgainst: RuleAgainst; lookup: Lookup; opened: (socket: Socket) => void }) {
  const { ruleAgainst, opened } = options;
  const connect = buildConnector({
    allowH2: false,
    // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    timeout: CONNECT_TIMEOUT_MS,
    lookup: guardedLookup(options),
    // The function of undici returns the socket, but its type omits the return value.
  }) as (...parameters: Parameters<buildConnector.connector>) => Socket;
  return (...[target, done]: Parameters<buildConnector.connector>) => {
    // A URL with an IP address bypasses `lookup`.
    const written = isIP(target.hostname) ? ruleAgainst(target.hostname) : undefined;
    if (written) return done(refused(written), null);
    const socket = connect(target, done);
    // Checks the address of the established connection. The prepended listener runs before the listener that starts
    // TLS.
    socket.prependOnceListener('connect', () => {
      const reached = ruleAgainst(socket.remoteAddress ?? '');
      if (reached) socket.destroy(refused(reached));
    });
    opened(socket);
  };
}

function refused(rule: GuardRule): OutboundError {
  return OutboundError.blocked('address_not_allowed', rule);
}

/**
 * Resolves a host once and returns only permitted addresses, so that DNS rebinding cannot change the address after the
 * check.
 */
function guardedLookup({ ruleAgainst, lookup }: { ruleAgainst: RuleAgainst; lookup: Lookup }): LookupFunction {
  return (name, { all }, done) => {
    lookup(name, { all: true }).then(
      (found) => {
        const permitted = found.filter(({ address }) => !ruleAgainst(address));
        const [first] = permitted;
        if (!first) done(refused(found[0] ? (ruleAgainst(found[0].address) as GuardRule) : 'no_address'), []);
        else if (all) done(null, permitted);
        else done(null, first.address, first.family);
      },
      (error) => done(error, []),
    );
  };
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST);
}

/** Parses an address as the operating system does: an IPv4-mapped IPv6 address becomes its IPv4 address. */
function parseAddress(text: string): Address | undefined {
  if (isIP(text) !== 6) return isIP(text) ? ipaddr.IPv4.parse(text) : undefined;
  // ipaddr.js confuses ::1.2.3.4 with ::ffff:1.2.3.4. `URL` normalizes both to a form without dots, and rejects zone
  // ids, which only link-local addresses have.
  const url = URL.parse(`http://[${text}]`);
  return url ? ipaddr.process(url.hostname.slice(1, -1)) : undefined;
}

function parseNetwork(text: string): [Address, number] {
  // ipaddr.js reads 10/8 as 0.0.0.10/8, so IPv4 ranges require all four parts.
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text)) return ipaddr.IPv4.parseCIDR(text);
  if (ipaddr.IPv6.isValidCIDR(text)) {
    const [network, bits] = ipaddr.IPv6.parseCIDR(text);
    if (!network.isIPv4MappedAddress()) return [network, bits];
  }
  throw new Error(`${text} is not a network such as 10.1.0.0/16 or fd00::/8`);
}
