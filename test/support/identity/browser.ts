const MAX_REDIRECTS = 20;

/**
 * Follows redirects with cookies, like a new browser. Returns the first URL that matches `until`, without requesting
 * it.
 */
export async function browse(
  start: string | URL,
  { until, headers = {} }: { until: (address: URL) => boolean; headers?: Record<string, string> },
): Promise<URL> {
  const cookies = new Map<string, string>();
  let address = new URL(start);
  for (let redirects = 0; redirects < MAX_REDIRECTS; redirects++) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const reply = await fetch(address, { redirect: 'manual', headers: { ...headers, cookie } });
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = reply.headers.get('location');
    if (!location) throw new Error(`${reply.status} at ${address}: ${await reply.text()}`);
    address = new URL(location, address);
    if (until(address)) return address;
  }
  throw new Error(`more than ${MAX_REDIRECTS} redirects from ${start}`);
}
