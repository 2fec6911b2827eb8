/**
 * Definition of a vendor with a tap of many pages, and a tap of one large page, which is off. All connections share the
 * rate limit.
 */
export function vendorDefinition(origin: string, requestsPerSecond: number): string {
  return `slug: bench
name: Bench
sortOrder: 1
connectors:
  - key: bench
    name: Bench
    releaseStatus: published
    integrationClass: api
    protocolType: rest
    defaultBaseUrl: ${origin}
    timeoutSeconds: 120
    concurrencyTagTemplate: '{connector}'
    rateLimits: { requestsPerSecond: ${requestsPerSecond} }
    supportedAuthStrategies:
      - key: token
        type: bearer
        configSchema:
          type: object
          additionalProperties: false
          properties: { token: { type: string, secret: true } }
          required: [token]
        bearerConfig: { tokenField: token }
        verification: { url: /me }
    taps:
${tap('records', true, 'type: cursor, cursor: { cursorPath: next, cursorParam: cursor }')}
${tap('page', false, 'type: none')}
groupings:
  - { slug: bench, name: Bench, connector: bench, releaseStage: ga }
`;
}

function tap(name: string, isEnabled: boolean, pagination: string): string {
  return `      - name: ${name}
        enabledByDefault: ${isEnabled}
        identityDirectory: false
        responseExtraction: { primaryKey: id, responsePath: items }
        schema:
          type: object
          properties:
            id: { type: integer }
            name: { type: string }
            amount: { type: number }
            at: { type: string, format: date-time }
            email: { type: string }
            active: { type: boolean }
            tags: { type: array }
        sync: { mode: full }
        transportOptions:
          - { apiType: rest, priority: 1, pagination: { ${pagination} }, restConfig: { endpoint: /${name}, method: GET } }`;
}
