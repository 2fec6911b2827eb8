declare module 'negotiator' {
  /** Reads the Accept headers of a request (RFC 9110, section 12.5). */
  export default class Negotiator {
    constructor(request: { headers: Readonly<Record<string, string | string[] | undefined>> });
    /**
     * Returns the coding with the highest weight. If several codings have this weight, returns the first of them in
     * `preferred`.
     */
    encoding(available: readonly string[], options: { readonly preferred: readonly string[] }): string | undefined;
  }
}
