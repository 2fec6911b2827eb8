import type { KnownSecrets } from '../catalog/shipped-checks.js';
import type { Scenario } from '../catalog/shipped-scenario.js';
import type { StubReply, VendorCallRecord } from '../servers/any-host-server.js';
import { ACCOUNT_HEADER_DIALECTS } from './dialects/account-headers.js';
import { ANALYTICS_DIALECTS } from './dialects/analytics.js';
import { COLLABORATION_DIALECTS } from './dialects/collaboration.js';
import { COMMUNITY_DIALECTS } from './dialects/community.js';
import { CUSTOMER_RELATION_DIALECTS } from './dialects/customer-relations.js';
import { FILE_DIALECTS } from './dialects/files.js';
import { FINANCE_DIALECTS } from './dialects/finance.js';
import { INSIGHT_DIALECTS } from './dialects/insight.js';
import { OPERATION_DIALECTS } from './dialects/operations.js';
import { PEOPLE_DIALECTS } from './dialects/people.js';
import { PLATFORM_DIALECTS } from './dialects/platforms.js';
import { RECRUITING_DIALECTS } from './dialects/recruiting.js';
import { REVENUE_DIALECTS } from './dialects/revenue.js';
import { SERVICE_DESK_DIALECTS } from './dialects/service-desk.js';
import { SURVEY_DIALECTS } from './dialects/surveys.js';
import { BUSINESS_DIALECTS } from './simulated-tap-business.js';
import { COMMERCE_DIALECTS } from './simulated-tap-commerce.js';
import { CUSTOMER_DIALECTS } from './simulated-tap-customers.js';
import { DEVELOPER_TOOL_DIALECTS } from './simulated-tap-developer-tools.js';
import { type Respond, type VendorData, type VendorDialect } from './simulated-tap-pages.js';
import type { SimulatedRecord, SimulatedTap } from './simulated-tap-records.js';
import { SUITE_DIALECTS } from './simulated-tap-suites.js';
import { TEAM_DIALECTS } from './simulated-tap-teams.js';
import { WORKPLACE_DIALECTS } from './simulated-tap-workplace.js';

/** The keys consist of vendor and connector, such as `github/rest-api`. */
export const DIALECTS: Readonly<Record<string, VendorDialect>> = {
  ...SUITE_DIALECTS,
  ...WORKPLACE_DIALECTS,
  ...DEVELOPER_TOOL_DIALECTS,
  ...BUSINESS_DIALECTS,
  ...CUSTOMER_DIALECTS,
  ...TEAM_DIALECTS,
  ...COMMERCE_DIALECTS,
  ...RECRUITING_DIALECTS,
  ...ANALYTICS_DIALECTS,
  ...FILE_DIALECTS,
  ...PEOPLE_DIALECTS,
  ...REVENUE_DIALECTS,
  ...COLLABORATION_DIALECTS,
  ...CUSTOMER_RELATION_DIALECTS,
  ...SURVEY_DIALECTS,
  ...OPERATION_DIALECTS,
  ...INSIGHT_DIALECTS,
  ...COMMUNITY_DIALECTS,
  ...PLATFORM_DIALECTS,
  ...FINANCE_DIALECTS,
  ...SERVICE_DESK_DIALECTS,
  ...ACCOUNT_HEADER_DIALECTS,
};

const KINDS = ['pages', 'lists', 'records', 'steps'] as const;
type Kind = (typeof KINDS)[number];

interface SimulatedVendorOptions {
  readonly tap: SimulatedTap;
  readonly dialect: VendorDialect;
  readonly scenario: Scenario;
  readonly known: KnownSecrets;
}

interface Disturbance {
  readonly afterPages: number;
  /** After `afterPages` pages, the vendor returns these responses, one per request, instead of its own responses. */
  readonly replies?: StubReply[];
  readonly change?: (reply: StubReply) => StubReply;
}

/** A vendor with the records of one tap. It checks credentials and follows the vendor's documentation. */
export class SimulatedTapVendor {
  /** Requests with a valid credential, except token requests. */
  readonly calls: VendorCallRecord[] = [];
  /** Requests that the vendor's documentation does not describe. */
  readonly rejected: string[] = [];
  /** Kind of the latest request for records of the tap. */
  kind: Kind | undefined;
  /** Number of tokens that replaced an expired token. */
  renewals = 0;
  /** Number of requests with an expired token. */
  unauthorized = 0;
  readonly #options: SimulatedVendorOptions;
  #accessToken: string;
  #expiresAfter: number | undefined;
  #disturbance: Disturbance | undefined;
  #data: VendorData;
  #pages = 0;

  constructor(options: SimulatedVendorOptions, records: readonly SimulatedRecord[]) {
    this.#options = options;
    this.#accessToken = options.known.accessToken;
    this.#data = { tap: options.tap, records, memory: { statement: '', polls: 0 } };
  }

  /** Number of responses with records. */
  get pages(): number {
    return this.#pages;
  }

  disturb(disturbance: Disturbance): void {
    this.#disturbance = disturbance;
  }

  /** Rejects the token after this number of further pages, until the vendor issues a new token. */
  expireToken(afterPages: number): void {
    this.#expiresAfter = this.#pages + afterPages;
  }

  async reply(call: VendorCallRecord): Promise<StubReply> {
    const { scenario } = this.#options;
    if (call.method === 'POST' && call.url.href === scenario.exchange?.url) return this.#exchange(call);
    const found = this.#find(call);
    if (!found) return this.#reject(call, 'no such resource', 404);
    if (!(await this.#isAuthorized(call))) {
      this.unauthorized += 1;
      return this.#options.dialect.unauthorized ?? rejectionOf(scenario);
    }
    this.calls.push(call);
    return this.#disturbed(this.#respond(call, found));
  }

  async #exchange(call: VendorCallRecord): Promise<StubReply> {
    const { exchange } = this.#options.scenario;
    if (!exchange || !(await exchange.check(call, this.#known()))) return this.#reject(call, 'wrong grant', 400);
    if (this.#isExpired()) {
      this.#expiresAfter = undefined;
      this.renewals += 1;
      this.#accessToken = `${this.#accessToken}-renewed`;
    }
    return { status: 200, body: exchange.good(this.#accessToken) };
  }

  #known(): KnownSecrets {
    return { ...this.#options.known, accessToken: this.#accessToken };
  }

  #isExpired(): boolean {
    return this.#expiresAfter !== undefined && this.#pages >= this.#expiresAfter;
  }

  async #isAuthorized(call: VendorCallRecord): Promise<boolean> {
    if (this.#isExpired()) return false;
    return (await this.#options.scenario.check?.(call, this.#known())) ?? true;
  }

  #find({ method, url }: VendorCallRecord): { kind: Kind; respond: Respond } | undefined {
    const { dialect } = this.#options;
    const base = dialect.bases.find((origin) => `${url.origin}${url.pathname}/`.startsWith(`${origin}/`));
    if (base === undefined) return undefined;
    const request = `${method} ${`${url.origin}${url.pathname}`.slice(base.length)}`;
    for (const kind of KINDS) {
      for (const [pattern, respond] of Object.entries(dialect[kind] ?? {}))
        if (matches(pattern, request)) return { kind: this.#isWithoutPages(kind) ? 'lists' : kind, respond };
    }
    return undefined;
  }

  #isWithoutPages(kind: Kind): boolean {
    const { dialect, tap } = this.#options;
    return kind === 'pages' && Boolean(dialect.tapsWithoutPages?.includes(tap.name));
  }

  #respond(call: VendorCallRecord, { kind, respond }: { kind: Kind; respond: Respond }): () => StubReply {
    return () => {
      try {
        const reply = respond(call, this.#data);
        if (kind === 'steps' || reply.status !== 200) return reply;
        this.kind = kind;
        this.#pages += 1;
        return reply;
      } catch (error) {
        return this.#reject(call, `${error}`, 400);
      }
    };
  }

  #disturbed(respond: () => StubReply): StubReply {
    const { afterPages, replies = [], change } = this.#disturbance ?? { afterPages: Number.POSITIVE_INFINITY };
    const pages = this.#pages;
    if (pages < afterPages) return respond();
    const instead = replies.shift();
    if (instead) return instead;
    const reply = respond();
    return change && this.#pages > pages ? change(reply) : reply;
  }

  #reject({ method, url }: VendorCallRecord, reason: string, status: number): StubReply {
    this.rejected.push(`${method} ${url.href}: ${reason}`);
    return { status, body: { message: reason } };
  }
}

function matches(pattern: string, request: string): boolean {
  const [wanted, asked] = [pattern.split('/'), request.split('/')];
  return wanted.length === asked.length && wanted.every((part, index) => part === '*' || part === asked[index]);
}

/** Returns the response to a wrong credential if its status is 401, and otherwise a general 401. */
function rejectionOf({ bad }: Scenario): StubReply {
  return bad.status === 401 ? bad : { status: 401, body: { message: 'Unauthorized' } };
}
