/** Orders of a shop that does not exist: always the same ones, so that the tour shows the same each time. */
export interface Order {
  readonly order_id: number;
  readonly ordered_on: string;
  readonly amount: number;
  readonly email: string | null;
}

/** How many orders a batch has, how many of them lack the address, and what they cost on average, as a shop has it: a little different each time. */
const ORDERS = [50, 47, 52, 49, 51, 48, 53, 50, 46, 51];
const WITHOUT_ADDRESS = [2, 1, 3, 2, 0, 3, 1, 2, 4, 1, 2];
const CENTS = [4_010, 3_950, 4_080, 3_990, 4_060, 3_920, 4_030];

/** The nth batch, from 0. The form of a broken one loses the address of most orders. */
export function ordersOf(nth: number, isBroken = false): Order[] {
  const count = valueAt(ORDERS, nth);
  const without = isBroken ? Math.round(count * 0.62) : valueAt(WITHOUT_ADDRESS, nth);
  return Array.from({ length: count }, (_, at) => ({
    order_id: 10_000 + nth * 100 + at,
    ordered_on: new Date(Date.UTC(2026, 0, 1 + nth)).toISOString().slice(0, 10),
    amount: (valueAt(CENTS, nth) + ((at * 37) % 21) * 10 - 100) / 100,
    email: at < without ? null : `customer${(nth * 31 + at) % 997}@example.com`,
  }));
}

export function csvOf(orders: readonly Order[]): string {
  const lines = orders.map(({ order_id, ordered_on, amount, email }) =>
    [order_id, ordered_on, amount.toFixed(2), email ?? ''].join(','),
  );
  return `order_id,ordered_on,amount,email\n${lines.join('\n')}\n`;
}

function valueAt(values: readonly number[], nth: number): number {
  return values[nth % values.length] as number;
}
