import { stringify } from 'yaml';

export interface NewVendor {
  readonly slug: string;
  readonly name: string;
  /** The service serves only the logos of the included vendors. */
  readonly hasServedLogo: boolean;
}

export function vendorTemplate({ slug, name, hasServedLogo }: NewVendor): string {
  const text = (value: string): string => stringify(value, { lineWidth: 0 }).trimEnd();
  const inFlow = (value: string): string => JSON.stringify(value);
  return `# docs/vendors.md describes the format. Replace the example values, then run:
#   npm run catalog:check
#   npm run tap:try -- ${slug} records --config FILE
slug: ${slug}
name: ${text(name)}
# Position in the list of vendors, ascending.
sortOrder: 1000
${hasServedLogo ? '' : '# The service serves only the logos of the included vendors. After you publish the logo, remove the # before the next line.\n# '}logo: { url: ${hasServedLogo ? `/logos/${slug}.svg` : `https://static.${slug}.example/logo.svg`}, alt: ${inFlow(name)} }
connectors:
  # The key identifies the connector permanently.
  - key: rest-api
    name: ${text(`${name} API`)}
    integrationClass: api
    protocolType: rest
    releaseStatus: draft
    defaultBaseUrl: https://api.${slug}.example
    supportedAuthStrategies:
      - key: token
        type: bearer
        label: API token
        # The fields that the customer fills in. The service encrypts fields with \`secret: true\`.
        configSchema:
          type: object
          additionalProperties: false
          required: [token]
          properties:
            token: { type: string, title: API token, secret: true }
        bearerConfig: { tokenField: token }
        # The request that tests a credential.
        verification:
          url: /v1/me
          # JMESPath to the name of the account.
          identityPath: email
          failures:
            - { status: 401, errorCode: auth_failed }
            - { status: 403, errorCode: insufficient_permissions }
        # Add \`sources\`: the documents that confirm the settings. Then remove confirmed settings from \`unverified\`.
        unverified: [bearerConfig, verification]
    taps:
      # The name identifies the tap permanently. The table gets the same name.
      - name: records
        description: A record of the account.
        enabledByDefault: true
        # Set to true if the records are the users or accounts of the customer.
        identityDirectory: false
        # The field with the key of a record, and the path of the list in the response.
        responseExtraction: { primaryKey: id, responsePath: data }
        schema:
          type: object
          required: [id]
          properties:
            id: { type: string }
            updated_at: { type: string, format: date-time }
        # Every run reads all records. docs/taps.md describes incremental reads.
        sync: { mode: full }
        transportOptions:
          - apiType: rest
            pagination: { type: cursor, cursor: { cursorPath: next_cursor, cursorParam: cursor } }
            restConfig: { endpoint: /v1/records, queryParams: { limit: 100 } }
        unverified: [responseExtraction, schema, transportOptions]
# The entries of the catalog. Each leaf offers a connector.
groupings:
  - slug: api
    name: ${text(`${name} API`)}
    releaseStage: beta
    connector: rest-api
`;
}
