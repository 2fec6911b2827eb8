import { Field, InputType } from 'type-graphql';
import { Limits, NAME_BOUNDS } from '../../kernel/entities/field-limits.js';

@InputType({ description: 'Changes to a workspace. Omitted fields keep their value.' })
export class WorkspaceInput {
  @Field(() => String, { nullable: true, description: 'Display name.' })
  @Limits(NAME_BOUNDS)
  name?: string | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'All URIs to which a vendor may redirect the browser after a sign-in. Each URI must use https (or http on localhost) and have no fragment, user name or password. Replaces the list.',
  })
  @Limits({ maxItems: 50, minLength: 1, maxLength: 2_000 })
  oauthRedirectUris?: string[] | null;
}
