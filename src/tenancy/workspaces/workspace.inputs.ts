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
      'All allowed redirect URIs after a sign-in with a vendor: https, or http on localhost, without a fragment.',
  })
  @Limits({ maxItems: 50, minLength: 1, maxLength: 2_000 })
  oauthRedirectUris?: string[] | null;
}
