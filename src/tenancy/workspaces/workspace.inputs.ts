import { Field, InputType } from 'type-graphql';
import { Limits, NAME_BOUNDS } from '../../kernel/entities/field-limits.js';

@InputType({ description: 'What changes of a workspace; what is left out stays.' })
export class WorkspaceInput {
  @Field(() => String, { nullable: true, description: 'Name for people.' })
  @Limits(NAME_BOUNDS)
  name?: string | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'All addresses that vendors may send browsers back to after a sign-in: https, or http on the own machine, without a fragment.',
  })
  @Limits({ maxItems: 50, minLength: 1, maxLength: 2_000 })
  oauthRedirectUris?: string[] | null;
}
