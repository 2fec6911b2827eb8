/** Throws for a status other than 2xx. */
export async function callProgram<Data>(
  url: string,
  { method = 'GET', body, headers = {} }: { method?: string; body?: object; headers?: Record<string, string> } = {},
): Promise<Data> {
  const response = await fetch(url, {
    ...{ method, headers: { 'content-type': 'application/json', ...headers } },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} returned ${response.status}: ${text}`);
  return JSON.parse(text) as Data;
}
