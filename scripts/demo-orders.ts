/** The orders are constant, so that the demo always prints the same results. */
export interface Order {
  readonly order_id: number;
  readonly ordered_on: string;
  readonly amount: number;
  readonly email: string | null;
}

// Per batch: orders, orders without an email address, and average amount in cents. The values vary, so that the charts
// are realistic.
const ORDERS = [50, 47, 52, 49, 51, 48, 53, 50, 46, 51];
const WITHOUT_EMAIL = [2, 1, 3, 2, 0, 3, 1, 2, 4, 1, 2];
const CENTS = [4_010, 3_950, 4_080, 3_990, 4_060, 3_920, 4_030];

/** Most orders of a faulty batch lack an email address. */
export function demoOrders(nth: number, isFaulty = false): Order[] {
  const count = valueAt(ORDERS, nth);
  const without = isFaulty ? Math.round(count * 0.62) : valueAt(WITHOUT_EMAIL, nth);
  return Array.from({ length: count }, (_, at) => ({
    order_id: 10_000 + nth * 100 + at,
    ordered_on: new Date(Date.UTC(2026, 0, 1 + nth)).toISOString().slice(0, 10),
    amount: (valueAt(CENTS, nth) + ((at * 37) % 21) * 10 - 100) / 100,
    email: at < without ? null : `customer${(nth * 31 + at) % 997}@example.com`,
  }));
}

export function toCsv(orders: readonly Order[]): string {
  const lines = orders.map(({ order_id, ordered_on, amount, email }) =>
    [order_id, ordered_on, amount.toFixed(2), email ?? ''].join(','),
  );
  return `order_id,ordered_on,amount,email\n${lines.join('\n')}\n`;
}

function valueAt(values: readonly number[], nth: number): number {
  return values[nth % values.length] as number;
}
