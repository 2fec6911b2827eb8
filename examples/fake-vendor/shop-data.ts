export interface Customer {
  readonly id: number;
  readonly name: string;
  readonly email: string | null;
  readonly address_count: number;
}

export interface Address {
  readonly id: string;
  readonly city: string;
}

export interface Order {
  readonly id: number;
  readonly customer_id: number;
  readonly status: string;
  readonly total: number;
  /** Time in ISO 8601, in UTC. */
  readonly updated_at: string;
}

const CUSTOMERS = 40;
const CITIES = ['Berlin', 'Lagos', 'Lima', 'Oslo', 'Osaka'];
const FIRST_ORDER = Date.UTC(2026, 0, 1);
const MINUTES_BETWEEN_ORDERS = 97;

/** The initial records are the same after each start. Clients can add and change orders. */
export class ShopData {
  readonly customers: readonly Customer[];
  readonly #orders: Map<number, Order>;

  constructor(orderCount: number) {
    this.customers = Array.from({ length: CUSTOMERS }, (_, at) => ({
      id: at + 1,
      name: `Customer ${at + 1}`,
      email: at % 10 === 9 ? null : `customer${at + 1}@example.com`,
      address_count: at % 4,
    }));
    const orders = Array.from({ length: orderCount }, (_, at) => initialOrder(at));
    this.#orders = new Map(orders.map((order) => [order.id, order]));
  }

  /** Returns undefined for an unknown customer. */
  addressesOf(customerId: number): Address[] | undefined {
    const customer = this.customers.find(({ id }) => id === customerId);
    return customer && Array.from({ length: customer.address_count }, (_, at) => anAddress(customerId, at));
  }

  /** Returns the orders that changed at `since` or later, oldest change first. */
  ordersSince(since: string): Order[] {
    const found = [...this.#orders.values()].filter(({ updated_at }) => Date.parse(updated_at) >= Date.parse(since));
    return found.sort((one, other) => Date.parse(one.updated_at) - Date.parse(other.updated_at) || one.id - other.id);
  }

  saveOrder({ id = this.#orders.size + 1, ...fields }: Partial<Order>): Order {
    const before = this.#orders.get(id) ?? { customer_id: 1, status: 'new', total: 0 };
    const order = { ...before, ...fields, id, updated_at: new Date().toISOString() };
    this.#orders.set(id, order);
    return order;
  }
}

function initialOrder(at: number): Order {
  return {
    id: at + 1,
    customer_id: (at % CUSTOMERS) + 1,
    status: at % 7 === 0 ? 'refunded' : 'paid',
    total: (1_000 + ((at * 137) % 9_000)) / 100,
    updated_at: new Date(FIRST_ORDER + at * MINUTES_BETWEEN_ORDERS * 60_000).toISOString(),
  };
}

function anAddress(customerId: number, at: number): Address {
  return { id: `${customerId}-${at + 1}`, city: CITIES[(customerId + at) % CITIES.length] as string };
}
