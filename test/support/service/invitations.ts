import { queryAsOwner } from '../database/owner-queries.js';
import { clientFor } from './callers.js';
import type { Client, Reply, TestService } from './service.js';

export const INVITATIONS = '/api/users/invitations';

export function inviteUser(client: Client, email: unknown, roleIds: unknown): Promise<Reply> {
  return client.post(INVITATIONS, { email, roleIds });
}

export function revokeInvitation(client: Client, id: string): Promise<Reply> {
  return client.delete(`${INVITATIONS}/${id}`);
}

export async function invitationStatus(client: Client, id: string): Promise<string> {
  const { body } = await client.request(`${INVITATIONS}?limit=250`);
  return body.data.items.find((invitation: { id: string }) => invitation.id === id).status;
}

export async function expireInvitations(service: TestService, email: string): Promise<void> {
  const statement = `update invitation set expires_at = now() - interval '1 minute' where email = $1`;
  await queryAsOwner(service, statement, [email]);
}

export async function signInAs(service: TestService, email: string): Promise<number> {
  return (await clientFor(service, email).request('/api/users/me')).status;
}

const LONGEST_EMAIL = `${'a'.repeat(254 - '@x.test'.length)}@x.test`;

export const VALID_EMAILS = ['a+b@x.test', "o'hara@x.co.uk", 'ä@ö.test', 'a.b@x.test', LONGEST_EMAIL];

export const INVALID_EMAILS = [
  ...'ada ada@ @x.test ada@test ada@x. ada@.test ada@x..test ada@@x.test'.split(' '),
  ...[' ada@x.test', 'ada@x.test\n', 'a da@x.test', 'Ada <ada@x.test>', 'a@x.test,b@x.test', 'a\0@x.test'],
  ...['', `a${LONGEST_EMAIL}`, null, 7, ['ada@x.test'], { a: 1 }, undefined],
];
