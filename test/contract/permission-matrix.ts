/**
 * Who may do what, to be read and to be changed by hand: `x` may, `.` may not. `key` is an API key without any permission.
 * permissions.test.ts asks the running service.
 */

/** Every root field, and below them every other field that has a rule of its own. */
const FIELDS = `
field                            rule                      owner admin editor operator viewer anonymous key

platformVendor                   public                    x     x     x      x        x      x         x
platformVendorGroupings          public                    x     x     x      x        x      x         x
platformVendors                  public                    x     x     x      x        x      x         x

me                               member                    x     x     x      x        x      .         .
users                            member                    x     x     x      x        x      .         .
roles                            workspace                 x     x     x      x        x      .         x

connector                        connectors:read           x     x     x      x        x      .         .
connectors                       connectors:read           x     x     x      x        x      .         .
connectorRequest                 connector_requests:read   x     x     x      x        x      .         .
connectorRequests                connector_requests:read   x     x     x      x        x      .         .
createConnectorRequest           connector_requests:write  x     x     x      x        .      .         .
moveConnectorRequest             connector_requests:move   x     x     .      x        .      .         .

invitations                      invitations:write         x     x     .      .        .      .         .
inviteUser                       invitations:write         x     x     .      .        .      .         .
revokeInvite                     invitations:revoke        x     x     .      .        .      .         .
createRole                       roles:write               x     x     .      .        .      .         .
updateRole                       roles:write               x     x     .      .        .      .         .
deleteRole                       roles:write               x     x     .      .        .      .         .
updateUser                       roles:write               x     x     .      .        .      .         .
apiKeys                          api_keys:write            x     x     .      .        .      .         .
createApiKey                     api_keys:write            x     x     .      .        .      .         .
revokeApiKey                     api_keys:write            x     x     .      .        .      .         .
auditEntries                     audit:read                x     x     .      .        .      .         .

User.roles                       workspace                 x     x     x      x        x      .         x
Invitation.roles                 invitations:write         x     x     .      .        .      .         .
ConnectorRequest.moves           connector_requests:read   x     x     x      x        x      .         .
PlatformVendorGrouping.connector connectors:read           x     x     x      x        x      .         .
`;

/** Every permission, also those that nothing asks for yet. */
const PERMISSIONS = `
permission                owner admin editor operator viewer

connectors:read           x     x     x      x        x
connectors:write          x     x     x      .        .
credentials:validate      x     x     x      x        .
credentials:read          x     x     x      x        x
artifacts:read            x     x     x      x        x
artifacts:write           x     x     x      .        .
artifacts:infer           x     x     x      .        .
artifacts:publish         x     x     x      .        .
artifacts:delete          x     x     x      .        .
connector_requests:read   x     x     x      x        x
connector_requests:write  x     x     x      x        .
connector_requests:move   x     x     .      x        .
ingest_tokens:read        x     x     x      x        x
ingest_tokens:mint        x     x     x      .        .
ingest_tokens:rotate      x     x     x      x        .
ingest_tokens:revoke      x     x     x      x        .
taps:write                x     x     x      x        .
taps:delete               x     x     x      .        .
invitations:write         x     x     .      .        .
invitations:revoke        x     x     .      .        .
catalog:read              x     x     x      x        x
sync_jobs:write           x     x     .      x        .
api_keys:write            x     x     .      .        .
roles:write               x     x     .      .        .
audit:read                x     x     .      .        .
`;

export const CALLERS = ['owner', 'admin', 'editor', 'operator', 'viewer', 'anonymous', 'key'] as const;
export type CallerName = (typeof CALLERS)[number];

/** `x` or `.` for each caller. */
export type Marks = Record<string, string>;

export interface FieldRow {
  readonly field: string;
  readonly rule: string;
  readonly marks: Marks;
}

function readTable(table: string): string[][] {
  return table
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(/ +/));
}

function marksOf(names: readonly string[], marks: readonly string[]): Marks {
  return Object.fromEntries(names.map((name, at) => [name, marks[at] as string]));
}

const [[, , ...callers], ...fields] = readTable(FIELDS) as [string[], ...string[][]];
const [[, ...holders], ...permissions] = readTable(PERMISSIONS) as [string[], ...string[][]];

const rows = fields.map(
  ([field, rule, ...marks]): FieldRow => ({
    field: field as string,
    rule: rule as string,
    marks: marksOf(callers, marks),
  }),
);

export const ROOT_FIELDS = rows.filter(({ field }) => !field.includes('.'));
export const NESTED_FIELDS = rows.filter(({ field }) => field.includes('.'));
export const PERMISSION_ROWS = permissions.map(([permission, ...marks]) => ({
  permission: permission as string,
  marks: marksOf(holders, marks),
}));
